"""Settings: what is read, what is refused, and that help and docs tell the same.

`python -m tests.service.test_config` writes the table of docs/configuration.md anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.cli.command import run
from service.config import Config, ConfigError, load, settings
from service.kinds import SCHEMES, Address

DOCS = Path(__file__).parents[2] / "docs" / "configuration.md"
BEGIN, END = "<!-- settings -->", "<!-- end of settings -->"


def table() -> str:
    """All settings as the docs print them."""
    rows = ["| variable, flag | usual | what it is | valid |", "| --- | --- | --- | --- |"]
    for one in settings():
        cells = (f"`{one.variable}` `{one.flag}`", f"`{one.default}`" if one.default else "", one.doc, one.kind.valid)
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows)


def test_the_docs_hold_the_table() -> None:
    """As the code has it."""
    text = DOCS.read_text()
    assert text[text.index(BEGIN) + len(BEGIN) : text.index(END)].strip() == table()


def test_the_docs_name_no_other_variable() -> None:
    """Nor a flag that is none."""
    text = DOCS.read_text()
    assert set(re.findall(r"KONTOR_[A-Z_]+", text)) <= {one.variable for one in settings()}


def test_the_help_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    """Every flag, with what it is and what it usually is."""
    assert run(["serve", "--help"], {}) == 0
    words = " ".join(capsys.readouterr().out.split())
    for one in settings():
        assert f"{one.flag} {one.kind.metavar}" in words
        assert one.doc in words
        assert not one.default or f"({one.default})" in words


def test_the_usual_settings_are_those_of_the_issue() -> None:
    """What a person gets who sets nothing."""
    usual = load({})
    assert usual == Config()
    assert (str(usual.listen), str(usual.metrics_listen)) == ("127.0.0.1:50051", "127.0.0.1:9464")
    assert (usual.redis_url, usual.log_url, usual.data_dir) == ("", "embedded:", Path(".kontor"))
    assert usual.lobby_ttl == 7 * 24 * 3600
    assert usual.keys_path == Path(".kontor/keys.pem")
    assert not usual.reflection


def test_a_flag_wins_over_its_variable() -> None:
    """A variable over the usual value."""
    environment = {"KONTOR_LISTEN": "0.0.0.0:1", "KONTOR_DEADLINE": "250ms", "KONTOR_METRICS_LISTEN": "", "HOME": "x"}
    chosen = load(environment, {"listen": "[::1]:2", "deadline": None})
    assert chosen.listen == Address("::1", 2)
    assert str(chosen.listen) == "[::1]:2"
    assert chosen.deadline == 0.25
    assert chosen.metrics_listen is None


@pytest.mark.parametrize(
    ("variable", "text", "value"),
    [
        ("LOBBY_TTL", "36h", 36 * 3600),
        ("DEADLINE", "1.5s", 1.5),
        ("CACHE_BYTES", "1GiB", 2**30),
        ("CACHE_BYTES", "2000000", 2_000_000),
        ("REFLECTION", "TRUE", True),
        ("ALLOW_SEED", "off", False),
        ("LISTEN", " localhost:0 ", Address("localhost", 0)),
        ("WAIT_REPLICAS", "2", 2),
        ("LOG_LEVEL", "debug", "debug"),
        ("DATA_DIR", "/var/lib/kontor", Path("/var/lib/kontor")),
    ],
)
def test_values(variable: str, text: str, value: object) -> None:
    """Each kind is read."""
    assert getattr(load({f"KONTOR_{variable}": text}), variable.lower()) == value


@pytest.mark.parametrize(
    ("variable", "text", "valid"),
    [
        ("LISTEN", "50051", "HOST:PORT with a port from 0 to 65535, as 127.0.0.1:50051 or [::1]:50051"),
        ("LISTEN", "::1:50051", "HOST:PORT with a port from 0 to 65535, as 127.0.0.1:50051 or [::1]:50051"),
        ("LISTEN", "localhost:65536", "HOST:PORT with a port from 0 to 65535, as 127.0.0.1:50051 or [::1]:50051"),
        ("DEADLINE", "10", "a time from 100ms to 1h, in ms, s, m, h or d"),
        ("DEADLINE", "2h", "a time from 100ms to 1h, in ms, s, m, h or d"),
        ("DRAIN_GRACE", "-1s", "a time from 0s to 1h, in ms, s, m, h or d"),
        ("LOBBY_TTL", "forever", "a time from 1m to 365d, in ms, s, m, h or d"),
        ("CACHE_BYTES", "64MB", "a size from 1MiB to 1TiB, in bytes, KiB, MiB, GiB or TiB"),
        ("CACHE_BYTES", "5", "a size from 1MiB to 1TiB, in bytes, KiB, MiB, GiB or TiB"),
        ("REFLECTION", "perhaps", "yes or no"),
        ("LOG_LEVEL", "loud", "debug, info, warning, error"),
        ("WAIT_REPLICAS", "11", "a whole number from 0 to 10"),
        ("WAIT_REPLICAS", "\u0661", "a whole number from 0 to 10"),
        ("DATA_DIR", "", "the path of a file or directory"),
    ],
)
def test_a_bad_value_is_refused_in_one_sentence(variable: str, text: str, valid: str) -> None:
    """It names the variable, the value and what is valid."""
    with pytest.raises(ConfigError) as caught:
        load({f"KONTOR_{variable}": text})
    assert str(caught.value) == f"KONTOR_{variable}: {text!r} can't be used; valid: {valid}"


def test_a_bad_url_is_not_repeated() -> None:
    """It may hold a password."""
    with pytest.raises(ConfigError) as caught:
        load({"KONTOR_REDIS_URL": "http://user:hush@host"})
    assert "hush" not in str(caught.value)
    assert all(f"{scheme}:" in str(caught.value) for scheme in SCHEMES)


@pytest.mark.parametrize(
    ("environment", "part"),
    [
        ({"KONTOR_TLS_CERT_FILE": "cert.pem"}, "belong together"),
        ({"KONTOR_TLS_KEY_FILE": "key.pem"}, "belong together"),
        ({"KONTOR_REDIS_URL": "redis://localhost"}, "KONTOR_KEYS_FILE is empty"),
    ],
)
def test_settings_that_need_each_other(environment: dict[str, str], part: str) -> None:
    """TLS needs both files; servers that share a log share their keys."""
    with pytest.raises(ConfigError, match=part):
        load(environment)


def test_wrong_settings_end_with_2(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """By flag, by variable, and for the probe."""
    monkeypatch.setenv("KONTOR_DEADLINE", "x")
    for typed in (["serve"], ["serve", "--listen", "x"], ["health", "--address", "x"], ["serve", "--fly"]):
        assert run(typed, {}) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.count("\n") == 1


if __name__ == "__main__":
    whole = DOCS.read_text()
    start, end = whole.index(BEGIN) + len(BEGIN), whole.index(END)
    DOCS.write_text(f"{whole[:start]}\n{table()}\n{whole[end:]}")
