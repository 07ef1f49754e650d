"""Settings that hold for all tests."""

from hypothesis import settings

# How busy the machine is says nothing about a rule: no example is too slow.
settings.register_profile("kontor", deadline=None)
settings.load_profile("kontor")
