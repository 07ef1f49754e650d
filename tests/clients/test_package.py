"""The package that others install: what it imports, and what it is made of."""

import ast
import sys
import tomllib

import kontor_client
import kontor_client.sync

from .serving import REPOSITORY

PACKAGE = REPOSITORY / "clients/python/kontor_client"


def test_it_imports_only_what_it_depends_on() -> None:
    """The standard library, gRPC, protobuf and the generated messages: nothing of the service."""
    project = tomllib.loads(PACKAGE.parent.joinpath("pyproject.toml").read_text())["project"]
    assert {name.partition(">")[0] for name in project["dependencies"]} == {"grpcio", "grpcio-status", "protobuf"}
    found = set()
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add((node.module or "").partition(".")[0])
    assert found - sys.stdlib_module_names == {"grpc", "grpc_status", "google", "kontor", "kontor_client"}


def test_it_is_typed() -> None:
    """Its types are told to whoever installs it."""
    assert PACKAGE.joinpath("py.typed").exists()
    assert PACKAGE.parent.joinpath("kontor/py.typed").exists()


def test_both_clients_offer_the_same() -> None:
    """What can be awaited can be waited for."""
    for name in kontor_client.sync.__all__:
        later, now = (
            {each for each in dir(getattr(module, name)) if not each.startswith("_")}
            for module in (kontor_client, kontor_client.sync)
        )
        assert later - now == set(), name
