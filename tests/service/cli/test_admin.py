"""`kontor admin`: tables listed, proven, moved and removed, on the log that a real server has left."""

import asyncio
import base64
import io
import json
import os
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest

from domain.games import GAMES
from domain.values import replace
from kontor_client import random_answer
from kontor_client.sync import Client
from service.cli.admin_check import Wrong, prove
from service.cli.admin_file import read
from service.cli.command import run
from service.entry import pack
from service.log import EMPTY, Entry, chain, open_log
from tests.clients.serving import Server, environment

from .conftest import Kontor, Said


class House(NamedTuple):
    """What a server left behind: its data, a finished table a game, a running one, a lobby, and all their tokens."""

    data: Path
    finished: dict[str, str]
    running: str
    lobby: str
    tokens: tuple[str, ...]

    @property
    def tables(self) -> list[str]:
        """All tables."""
        return sorted([*self.finished.values(), self.running, self.lobby])


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> House:
    """The data of a server that has been stopped."""
    server = Server(tmp_path_factory.mktemp("admin"), "--token-rate", "0", "--peer-rate", "0").start()
    finished, tokens = {}, []
    try:
        with Client(server.address) as client:
            for game in GAMES:
                table = client.create_table(game, bots=["stand-in"] * (GAMES[game].meta.least_seats - 1), public=True)
                seat = table.join("Ada")
                table.start()
                for _ in seat.updates():
                    if seat.decision:
                        seat.submit(random_answer(seat.decision))
                finished[game] = table.id
                tokens += [table.token, seat.token]
            running = client.create_table("augsburg", bots=["random"])
            seat = running.join("Bea")
            running.start()
            lobby = client.create_table("augsburg", public=True, seats=3)
            tokens += [running.token, seat.token, lobby.token]
    finally:
        server.stop()
    return House(server.directory / "data", finished, running.id, lobby.id, tuple(tokens))


@pytest.fixture
def house(left: House, tmp_path: Path) -> House:
    """A copy of it, for whoever changes something."""
    shutil.copytree(left.data, tmp_path / "data", ignore=shutil.ignore_patterns("*.sock"))
    return left._replace(data=tmp_path / "data")


def admin(house: House | Path, *words: str, text: str = "") -> Said:
    """A task on the data, in this process: starting another for each would take most of the time."""
    data = house if isinstance(house, Path) else house.data
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, environment(KONTOR_DATA_DIR=str(data)), clear=True),
        mock.patch("sys.stdin", io.StringIO(text)),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = run(["admin", *words], GAMES)
    return Said(code, out.getvalue(), err.getvalue())


def done(house: House | Path, *words: str, text: str = "") -> str:
    """What a task says that ends well."""
    said = admin(house, *words, text=text)
    assert said.code == 0, said.err
    assert said.err == ""
    return said.out


def refused(house: House | Path, *words: str, text: str = "") -> str:
    """The one sentence by which a task is refused."""
    said = admin(house, *words, text=text)
    assert said.code == 2
    assert said.err.count("\n") == 1
    return said.err


def test_tables_are_listed(left: House) -> None:
    """All, or those of a game or a phase."""
    whole = done(left, "tables")
    assert all(table in whole for table in left.tables)
    over = done(left, "tables", "--phase", "over", "--game", "augsburg")
    assert left.finished["augsburg"] in over
    assert left.running not in over
    assert "There are no such tables." in done(left, "tables", "--phase", "cancelled")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_table_is_shown_as_a_spectator_saw_it(left: House, game: str) -> None:
    """Its story, and not one secret of it."""
    entries = _exported(left, left.finished[game])
    said = done(left, "show", left.finished[game])
    assert "Ada" in said
    assert GAMES[game].meta.title in said
    life, _ = prove(left.finished[game], GAMES, entries)
    assert life.founded is not None
    secrets = [life.founded.seed, life.founded.salt, *(entry.salt for entry in life.entries), *left.tokens]
    assert not [secret for secret in secrets if secret in said]


def _exported(house: House, table: str) -> tuple[Entry, ...]:
    file = house.data.parent / f"look-{table}.kontor"
    if not file.exists():
        done(house, "export", table, str(file))
    return read(file).entries


def test_all_tables_are_proven(left: House) -> None:
    """Every stored command decided again from the seed gives the stored events."""
    said = done(left, "verify")
    assert said.endswith(f"{len(left.tables)} tables, 0 wrong\n")
    assert said.count(": good") == len(left.tables)
    assert "1 table, 0 wrong" in done(left, "verify", left.running)


def test_a_table_moves_in_a_file(house: House, tmp_path: Path) -> None:
    """Exported, deleted, imported: byte for byte the same; a table that is there is never overwritten."""
    table, file = house.running, tmp_path / "table.kontor"
    assert "every secret" in done(house, "export", table, str(file))
    assert file.stat().st_mode & 0o777 == 0o600
    assert f"there is a table {table} already" in refused(house, "import", str(file))
    assert "is there already" in refused(house, "export", table, str(file))
    done(house, "delete", table, "--yes")
    assert f"there is no table {table}" in refused(house, "show", table)
    done(house, "import", str(file))
    done(house, "export", table, str(tmp_path / "again.kontor"))
    assert (tmp_path / "again.kontor").read_bytes() == file.read_bytes()
    assert "0 wrong" in done(house, "verify")


def test_an_imported_table_is_played_on(house: House, tmp_path: Path) -> None:
    """In another house, by the tokens of the first, if it has the same keys."""
    file = tmp_path / "table.kontor"
    done(house, "export", house.running, str(file))
    other = tmp_path / "other"
    server = Server(other).start()
    server.stop()
    shutil.copy(house.data / "keys.pem", other / "data" / "keys.pem")
    done(other / "data", "import", str(file))
    server.start()
    try:
        with Client(server.address) as client:
            seat = client.seat(house.running, house.tokens[-2])
            for _ in seat.updates():
                if seat.decision:
                    seat.submit(random_answer(seat.decision))
            assert seat.view is not None
            assert seat.view.HasField("ranking")
    finally:
        server.stop()


def test_finished_tables_are_archived(house: House, tmp_path: Path) -> None:
    """Into files that hold; what goes on, or ended later, stays."""
    shelf = tmp_path / "shelf"
    assert done(house, "archive", "--finished-before", "2020-01-01", str(shelf)).startswith("0 tables archived")
    said = done(house, "archive", "--finished-before", "2999-12-31", str(shelf))
    assert said.startswith(f"{len(house.finished)} tables archived")
    assert sorted(file.stem for file in shelf.iterdir()) == sorted(house.finished.values())
    left = done(house, "tables")
    assert house.running in left
    assert house.lobby in left
    assert not [table for table in house.finished.values() if table in left]
    done(house, "import", *map(str, shelf.iterdir()))
    assert f"{len(house.tables)} tables, 0 wrong" in done(house, "verify")


def test_the_index_is_written_anew(house: House) -> None:
    """A server finds its public tables again."""
    assert done(house, "reindex") == f"{len(house.tables)} tables indexed\n"
    server = Server(house.data.parent).start()
    try:
        with Client(server.address) as client:
            assert {table.id for table in client.tables()} == {*house.finished.values(), house.lobby}
    finally:
        server.stop()


def test_nothing_is_deleted_by_accident(house: House) -> None:
    """Who does not type yes has not meant it; a table that is not there stops it all."""
    assert "nothing was deleted" in refused(house, "delete", house.lobby, text="no\n")
    assert "nothing was deleted" in refused(house, "delete", house.lobby)
    assert "there is no table" in refused(house, "delete", house.lobby, "0123456789AB", "--yes")
    assert house.lobby in done(house, "tables")
    assert f"{house.lobby} deleted" in done(house, "delete", house.lobby, text="yes\n")
    assert house.lobby not in done(house, "tables")


def test_while_the_server_runs_the_embedded_log_is_its_own(house: House) -> None:
    """The lock says so, and what to do."""
    server = Server(house.data.parent).start()
    try:
        said = refused(house, "tables")
        assert "is in use by the process" in said
        assert "Stop the server first." in said
    finally:
        server.stop()


def test_where_there_is_no_log(tmp_path: Path) -> None:
    """Nothing is made."""
    assert "there is no log in" in refused(tmp_path / "nothing", "tables")
    assert not (tmp_path / "nothing").exists()
    assert "'nonsense' is no date like 2026-01-31" in refused(tmp_path, "archive", "--finished-before", "nonsense", "x")
    assert "its value can't be used" in refused(tmp_path, "--redis-url", "http://x:secret@y", "tables")
    assert "secret" not in refused(tmp_path, "--redis-url", "http://x:secret@y", "tables")


def test_every_task_has_its_help(kontor: Kontor) -> None:
    """In words."""
    whole = kontor("admin", "--help").out
    for task in ("tables", "show", "verify", "export", "import", "reindex", "archive", "delete"):
        assert task in whole
        assert "usage: kontor admin" in kontor("admin", task, "--help").out


# --- what is damaged is found -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def entries(left: House) -> tuple[Entry, ...]:
    """A good log."""
    return _exported(left, left.finished["augsburg"])


def rechained(entries: tuple[Entry, ...], data: dict[int, bytes]) -> tuple[Entry, ...]:
    """The log with other bytes at some versions, and hashes that follow: as a forger would do it."""
    head, made = EMPTY, []
    for entry in entries:
        new = data.get(entry.version, entry.data)
        head = Entry(entry.version, new, chain(head.hash, new)).head
        made.append(Entry(entry.version, new, head.hash))
    return tuple(made)


def test_a_log_without_some_entries_is_wrong(left: House, entries: tuple[Entry, ...]) -> None:
    """In the middle, or with hashes that do not follow."""
    table = left.finished["augsburg"]
    with pytest.raises(Wrong, match="entries are missing"):
        prove(table, GAMES, entries[:5] + entries[6:])
    with pytest.raises(Wrong, match="does not follow"):
        prove(table, GAMES, (*entries[:5], entries[5]._replace(data=entries[4].data), *entries[6:]))
    with pytest.raises(Wrong, match="can't be read"):
        prove(table, GAMES, rechained(entries, {6: b"\x01nonsense"}))


def test_a_forged_entry_is_wrong(left: House, entries: tuple[Entry, ...]) -> None:
    """Good hashes over events that the command does not cause from this seed."""
    table = left.finished["augsburg"]
    life, proof = prove(table, GAMES, entries)
    assert (proof.entries, proof.older) == (len(entries), 0)
    version, entry = next(
        (version, entry) for version, entry in enumerate(life.entries, 1) if len(entry.events) > 2 and entry.decision
    )
    forged = {version: pack(replace(entry, events=entry.events[:-1]), life.game)}
    with pytest.raises(Wrong):
        prove(table, GAMES, rechained(entries, forged))
    founding = life.entries[0]
    assert life.founded is not None
    other = replace(life.founded, seed="0" * 64)
    seeded = {1: pack(replace(founding, events=(other, *founding.events[1:])))}
    with pytest.raises(Wrong, match="again causes other events"):
        prove(table, GAMES, rechained(entries, seeded))
    early = {version: pack(replace(entry, time=1), life.game)}
    with pytest.raises(Wrong, match="is older than the one before"):
        prove(table, GAMES, rechained(entries, early))
    doubled = {version: pack(replace(entry, request=life.entries[1].request), life.game)}
    with pytest.raises(Wrong, match="request id stands there twice"):
        prove(table, GAMES, rechained(entries, doubled))
    unasked = {version: pack(replace(entry, decision=entry.decision + 1), life.game)}
    with pytest.raises(Wrong, match="a decision that was not open"):
        prove(table, GAMES, rechained(entries, unasked))


def test_a_damaged_file_is_refused(house: House, tmp_path: Path) -> None:
    """One byte is enough; and nothing of it is imported."""
    file, table = tmp_path / "table.kontor", house.running
    done(house, "export", table, str(file))
    done(house, "delete", table, "--yes")
    whole = file.read_text().splitlines()
    line = json.loads(whole[2])
    data = bytearray(base64.b64decode(line["data"]))
    data[-1] ^= 1
    line["data"] = base64.b64encode(bytes(data)).decode()
    head = json.loads(whole[0])
    for text, sentence in (
        ([*whole[:2], json.dumps(line), *whole[3:]], "is damaged"),
        (whole[:-1], "is damaged: it ends at version"),
        ([whole[0], *whole[2:]], "is damaged"),
        (["nonsense"], "is no exported table"),
        ([json.dumps({**head, "kontor": 99}), *whole[1:]], "is of format 99"),
        ([json.dumps({**head, "table": house.lobby}), *whole[1:]], f"there is a table {house.lobby} already"),
    ):
        file.write_text("\n".join(text) + "\n")
        assert sentence in refused(house, "import", str(file)), text[0]
    assert "can't be read" in refused(house, "import", str(tmp_path / "nothing"))
    assert table not in done(house, "tables")


def test_verify_tells_by_its_exit_code(house: House, tmp_path: Path) -> None:
    """An operator's script needs no more."""

    async def spoil() -> None:
        log = await open_log("embedded:", house.data / "log")
        try:
            await log.append(house.lobby, await log.head(house.lobby), b"\x01nonsense")
        finally:
            await log.close()

    asyncio.run(spoil())
    said = admin(house, "verify")
    assert said.code == 1
    assert f"{house.lobby}: WRONG: " in said.out
    assert "1 wrong" in said.out
    assert admin(house, "reindex").code == 1
    kept = admin(house, "archive", "--finished-before", "2999-01-01", str(tmp_path / "shelf"))
    assert kept.code == 1
    assert f"{house.lobby} stays" in kept.err
    listed = admin(house, "tables")
    assert f"kontor: {house.lobby}: " in listed.err
    assert len(list((tmp_path / "shelf").iterdir())) == len(house.finished)
