"""The messages others generate code from: what is committed is what proto/ says, and any language can live with it."""

from __future__ import annotations

import importlib
import keyword
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor

from kontor.v1 import (
    Change,
    Decision,
    GameCommand,
    GameEvent,
    GameView,
    PlayServiceServicer,
    Sentence,
    ShownEvent,
    View,
    WatchViewResponse,
    add_PlayServiceServicer_to_server,
    play_service_pb2,
    table_service_pb2,
)
from tools import protos

LANGUAGES = protos.PROTO / "languages"
FORBIDDEN = {"Event", "Text", "Range", "Node", "Error", "Some", "Result"}  # of the DOM, of Rust
TYPES = {
    FieldDescriptor.TYPE_BOOL,
    FieldDescriptor.TYPE_ENUM,
    FieldDescriptor.TYPE_INT32,
    FieldDescriptor.TYPE_MESSAGE,
    FieldDescriptor.TYPE_STRING,
}


def files() -> list[FileDescriptor]:
    """All our files, by what the two services import."""
    found: dict[str, FileDescriptor] = {}
    todo = [play_service_pb2.DESCRIPTOR, table_service_pb2.DESCRIPTOR]
    while todo:
        file = todo.pop()
        if file.name not in found and file.package.startswith("kontor."):
            found[file.name] = file
            todo += file.dependencies
    return list(found.values())


def messages() -> Iterator[Descriptor]:
    """All our messages."""
    for file in files():
        yield from file.message_types_by_name.values()


def test_what_is_committed_is_what_would_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody changed a .proto, or a generated file, alone."""
    assert protos.check() == 0, capsys.readouterr().out


def test_every_proto_is_served() -> None:
    """No file is written that no service needs."""
    assert sorted(file.name for file in files()) == sorted(
        str(path.relative_to(protos.PROTO)) for path in protos.PROTO.rglob("*.proto")
    )


def test_drift_is_found(tmp_path: Path) -> None:
    """A changed, a missing and a superfluous file are each named; what Python keeps for itself is not."""
    wanted, found = tmp_path / "wanted", tmp_path / "found"
    for root, names in ((wanted, ("same", "changed", "missing")), (found, ("same", "changed", "more"))):
        (root / "__pycache__").mkdir(parents=True)
        (root / "__pycache__" / root.name).touch()
        for name in names:
            (root / name).write_text(root.name if name == "changed" else name)
    assert protos.differences(wanted, found) == {"changed", "missing", "more"}


def test_packages_offer_what_their_files_define() -> None:
    """`from kontor.v1 import View` works, for every message, enum and service."""
    for file in files():
        package = importlib.import_module(file.package)
        names = [*file.message_types_by_name, *file.enum_types_by_name]
        names += [f"{service}{part}" for service in file.services_by_name for part in ("Stub", "Servicer")]
        for name in names:
            assert hasattr(package, name), f"{file.package}.{name}"
            assert name in package.__all__


def test_the_client_wants_no_older_runtime_than_its_code() -> None:
    """Generated code refuses an older runtime: the bounds of the distribution say the same."""
    text = (protos.PACKAGE.parent / "pyproject.toml").read_text()
    wanted = dict(re.findall(r"([a-z-]+)>=([0-9.]+)", "\n".join(tomllib.loads(text)["project"]["dependencies"])))
    code = (protos.PACKAGE / "v1" / "play_service_pb2.py").read_text()
    stubs = (protos.PACKAGE / "v1" / "play_service_pb2_grpc.py").read_text()
    assert wanted["protobuf"] == _found(r"Protobuf Python Version: ([0-9.]+)", code)
    assert wanted["grpcio"] == wanted["grpcio-status"] == _found(r"GRPC_GENERATED_VERSION = '([0-9.]+)'", stubs)


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found
    return found[1]


# --- what any language can live with ------------------------------------------------------------------------------


def test_names_that_clash_are_not_used() -> None:
    """No message is called like a global of browsers or of Rust, no field like a word of Python."""
    for message in messages():
        assert message.name not in FORBIDDEN, message.full_name
        for field in message.fields:
            assert not keyword.iskeyword(field.name), field.full_name


def test_fields_are_of_types_that_every_language_has() -> None:
    """No map, no 64-bit number, no float, no bytes."""
    for message in messages():
        for field in message.fields:
            assert field.type in TYPES, field.full_name
            assert field.message_type is None or not field.message_type.GetOptions().map_entry, field.full_name


def test_a_game_imports_nothing_of_the_envelope() -> None:
    """Packages form no cycle: kontor.v1 imports the games, and no game another or kontor.v1."""
    for file in files():
        if file.package != "kontor.v1":
            assert {other.package for other in file.dependencies} <= {file.package}, file.name


def _reached(roots: list[Descriptor | None]) -> dict[str, Descriptor]:
    found: dict[str, Descriptor] = {}
    while roots:
        message = roots.pop()
        if message is not None and message.full_name not in found:
            found[message.full_name] = message
            roots += [field.message_type for field in message.fields]
    return found


def _optional_scalars(message: Descriptor) -> dict[str, bool]:
    scalars = [field for field in message.fields if field.message_type is None and not field.is_repeated]
    return {field.name: field.has_presence for field in scalars}


def test_commands_tell_missing_from_zero() -> None:
    """In commands every singular scalar is optional; whether one is, elsewhere, its type decides."""
    commands = _reached([field.message_type for field in GameCommand.DESCRIPTOR.fields])
    for message in commands.values():
        assert all(_optional_scalars(message).values()), message.full_name


@pytest.mark.parametrize("root", [GameEvent, GameView])
def test_nothing_is_optional_without_need(root: Any) -> None:
    """In events and views a scalar is optional only where the type says that it may be nothing."""
    commands = _reached([field.message_type for field in GameCommand.DESCRIPTOR.fields])
    for game in root.DESCRIPTOR.fields:
        module = importlib.import_module(f"domain.{game.name}.views")
        shown = importlib.import_module(f"domain.{game.name}.events")
        for name, message in _reached([game.message_type]).items():
            if name in commands:
                continue
            cls = getattr(module, message.name, None) or getattr(shown, message.name, None)
            for field, optional in _optional_scalars(message).items() if cls else ():
                assert optional == ("None" in str(cls.__annotations__[field])), f"{name}.{field}"


# --- releases -----------------------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one proto, not yet released."""
    proto = tmp_path / "proto" / "made" / "v1"
    proto.mkdir(parents=True)
    shutil.copy(protos.PROTO / "buf.yaml", tmp_path / "proto")
    (proto / "made.proto").write_text('syntax = "proto3";\npackage made.v1;\nmessage Made {\n  int32 number = 1;\n}\n')
    _git(tmp_path, "init", "-q")
    _git(tmp_path, "add", ".")
    _git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first")
    return tmp_path


def _git(where: Path, *arguments: str) -> None:
    subprocess.run([shutil.which("git") or "git", "-C", str(where), *arguments], check=True)


def test_before_the_first_release_nothing_breaks(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a tag the comparison is skipped, and that is said."""
    assert protos.breaking(repository) == 0
    assert "skipped" in capsys.readouterr().out


def test_a_break_is_found_after_a_release(repository: Path) -> None:
    """A field may be added to what was released, but not change its type; v0.10 is newer than v0.9."""
    made = repository / "proto" / "made" / "v1" / "made.proto"
    _git(repository, "tag", "v0.9.0")
    made.write_text(made.read_text().replace("}", "  int32 more = 2;\n}"))
    assert protos.breaking(repository) == 0
    _git(repository, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "second")
    _git(repository, "tag", "v0.10.0")
    made.write_text(made.read_text().replace("int32 more", "string more"))
    assert protos.breaking(repository) != 0


# --- the examples -------------------------------------------------------------------------------------------------

EXAMPLES = {
    "python": LANGUAGES / "python" / "watch.py",
    "typescript": LANGUAGES / "typescript" / "watch.ts",
    "go": LANGUAGES / "go" / "main.go",
    "java": LANGUAGES / "java" / "src" / "main" / "java" / "Watch.java",
}


@pytest.mark.parametrize("language", EXAMPLES)
def test_the_documentation_shows_the_compiled_examples(language: str) -> None:
    """What docs/clients.md shows of a language is, to the letter, what `make protos` compiles."""
    page = (protos.REPOSITORY / "docs" / "clients.md").read_text(encoding="utf-8")
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", page, flags=re.DOTALL | re.MULTILINE)
    assert EXAMPLES[language].read_text(encoding="utf-8") in blocks


def test_no_file_names_a_registry() -> None:
    """Whoever runs the tools has registries of his own."""
    for path in sorted(LANGUAGES.rglob("*")):
        if path.is_file():
            assert not re.search(r"registry\.npmjs|proxy\.golang|repo\d?\.maven|pypi\.org", path.read_text()), path


class _Watched(PlayServiceServicer):
    def WatchView(self, request: Any, context: Any) -> Iterator[WatchViewResponse]:  # noqa: N802 - gRPC's name
        """One question, then one event, for whoever has the token."""
        assert dict(context.invocation_metadata())["authorization"] == "Bearer token"
        asked = Decision(number=1, question=Sentence(text=f"How many at {request.table_id}?"))
        yield WatchViewResponse(view=View(decision=asked))
        yield WatchViewResponse(changes=[Change(events=[ShownEvent(sentence=Sentence(text="Ann bids 3."))])])


def test_the_python_example_watches() -> None:
    """It prints the question and what happens."""
    server = grpc.server(ThreadPoolExecutor(2))
    add_PlayServiceServicer_to_server(_Watched(), server)  # type: ignore[abstract]  # it is only watched
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    command = [sys.executable, str(EXAMPLES["python"]), f"127.0.0.1:{port}", "TABLE", "token"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    server.stop(None).wait()
    assert done.stdout.splitlines() == ["How many at TABLE? []", "Ann bids 3."]
