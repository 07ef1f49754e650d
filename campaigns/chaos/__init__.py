"""Faults: services and logs are killed, stopped and cut off under load, and a checker looks at what became of it."""
