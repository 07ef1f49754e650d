"""What developers run besides the tests: `make rules`, `make mutants`."""
