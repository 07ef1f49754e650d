"""The service beside the bare stack it stands on, and boardgame.io's server: `python -m bench.service --help`."""
