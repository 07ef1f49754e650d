"""The installation: its manifests, bad starts, backups, upgrades, and the whole of it in containers.

`test_*.py` run with `make test`. `check_*.py` need the tools of deploy/tools.sh and run with `make deploy-check`;
`engine_*.py` need a container engine and run with `make test-deploy`.
"""
