"""docs/api.md against the code: every call with who may make it, and no reason that the page does not name."""

import re
from pathlib import Path

from service.auth import Role
from service.handlers import ROWS

from .serving import REPOSITORY

PAGE = REPOSITORY.joinpath("docs/api.md").read_text(encoding="utf-8")
CALL = re.compile(r"^\| (\w+/\w+) \| ([^|]*) \|", re.MULTILINE)
REASON = re.compile(r"\"([A-Z]+(?:_[A-Z]+)+)\"")
STATUSES = {
    "INVALID_ARGUMENT",
    "NOT_FOUND",
    "PERMISSION_DENIED",
    "FAILED_PRECONDITION",
    "ALREADY_EXISTS",
    "RESOURCE_EXHAUSTED",
}
# A seat without a player, or of a bot, has no token that could ask for it.
UNREACHABLE = {"NO_SUCH_SEAT", "SEAT_IS_A_BOT"}
RAISERS = ("handlers", "grpc_edge", "calls.py", "host.py", "auth.py", "limits.py", "life.py")


def test_every_call_stands_on_the_page_with_who_may_make_it() -> None:
    """As the one table of authorisation has it."""
    page = dict(CALL.findall(PAGE))
    assert {f"kontor.v1.{name}" for name in page} == set(ROWS)
    for name, who in page.items():
        roles = ROWS[f"kontor.v1.{name}"].roles
        said = {role for role in Role if re.search(rf"\b{role}\b", who.split("(")[0])}
        assert said == (set() if who.startswith("anyone") else roles), name
        assert who.startswith("anyone") == (Role.NOBODY in roles), name


def test_every_reason_stands_on_the_page() -> None:
    """Found in the code that refuses calls; those of tables and of the engine too."""
    files: list[Path] = [REPOSITORY / "domain/table.py"]
    for name in RAISERS:
        place = REPOSITORY / "service" / name
        files += sorted(place.glob("*.py")) if place.is_dir() else [place]
    found = {reason for file in files for reason in REASON.findall(file.read_text(encoding="utf-8"))}
    missing = sorted(reason for reason in found - STATUSES - UNREACHABLE if f"`{reason}`" not in PAGE)
    assert missing == []
