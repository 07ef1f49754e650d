"""Campaigns: what the service promises, tried for real, short in the tests and long by `make`."""
