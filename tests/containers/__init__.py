"""The log in containers: the contract suite against the images that people run. `make test-containers`."""
