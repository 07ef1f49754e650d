"""The rules of the games, pure: no clock, no network, no files at play time, no chance but the one handed in."""
