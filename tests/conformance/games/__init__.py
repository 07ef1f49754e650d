"""What only a game's author can tell the suite, one file a game; the package `tests.conformance` says what."""
