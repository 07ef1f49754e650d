"""Hostility: whatever a stranger can send, and what must not come of it."""
