"""Why a command was not offered, told to the offender from his own view."""

from __future__ import annotations

from domain.options import NOBODY, Refusal
from domain.values import facts

from .auction import Bidding
from .cards import Giving
from .commands import Bid, Call, Command, Finish, Forgo, GiveCertificate, Use, UseMasterBuilder, UsePrivilege
from .components import BUILDINGS, Category, Noble, Tile
from .play import AgendaItem
from .views import PlayerView, View
from .winner import LAST_STEP, Using

REASONS = ("TILE_OWNED", "STACK_EMPTY")  # those not written in a `Refusal(...)` of their own, for who checks sentences

NEEDS_STEP = {
    Use.GUILDERS: (Category.TRADE, 2, "AUG-308"),
    Use.COAT_OF_ARMS: (Category.NOBILITY, 3, "AUG-309"),
    Use.LETTER_OF_NOBILITY: (Category.NOBILITY, 4, "AUG-309"),
    Use.MINTER: (Category.OFFICE, 3, "AUG-310"),
    Use.MASTER_BUILDER: (Category.OFFICE, 4, "AUG-310"),
}
OF_RULE = {Category.TRADE: "AUG-308", Category.NOBILITY: "AUG-309", Category.OFFICE: "AUG-310"}
OF_CATEGORY = {
    Category.TRADE: (Use.STEP, Use.GUILDERS),
    Category.NOBILITY: (Use.STEP, Use.COAT_OF_ARMS, Use.LETTER_OF_NOBILITY),
    Category.OFFICE: (Use.STEP, Use.MINTER, Use.MASTER_BUILDER, Use.CHURCH, Use.CATHEDRAL),
}


def explain(question: AgendaItem, view: View, command: Command) -> Refusal | None:
    """A better reason than that it was not offered; nothing where that says it all."""
    if isinstance(question, Bidding) and isinstance(command, Bid | Call):
        return _bidding(view, command)
    if isinstance(question, Using):
        return _using(view, view.players[view.seat - 1], command)
    if isinstance(question, Giving) and isinstance(command, GiveCertificate):
        return Refusal("AUG-412", "CARD_NOT_HELD")
    return None


def _bidding(view: View, command: Bid | Call) -> Refusal:
    certificates = sum(1 for c in view.hand if c.noble and view.noble in (c.noble, Noble.MAXIMILIAN))
    jokers = sum(1 for c in view.hand if c.noble is None)
    if isinstance(command, Call) and not view.bid:
        return Refusal("AUG-203", "NO_BID_TO_CALL")
    if isinstance(command, Bid) and (type(command.cards) is not int or command.cards <= view.bid):
        return Refusal("AUG-203", "BID_TOO_LOW", facts(least=view.bid + 1))
    if not certificates:
        return Refusal("AUG-207" if view.noble == Noble.MAXIMILIAN else "AUG-206", "ONLY_JOKERS")
    return Refusal("AUG-206", "BID_EXCEEDS_CARDS", facts(most=certificates + jokers))


def _using(view: View, me: PlayerView, command: Command) -> Refusal | None:
    if isinstance(command, UsePrivilege | Forgo) and not view.uses:
        return Refusal("AUG-302", "PRIVILEGES_USED_UP")
    if isinstance(command, UsePrivilege):
        return _privilege(view, me, command)
    if isinstance(command, UseMasterBuilder):
        return _master_builder(view, me, command.building)
    if isinstance(command, Finish) and view.uses:
        return Refusal("AUG-302", "PRIVILEGES_LEFT", facts(uses=view.uses))
    return None


def _privilege(view: View, me: PlayerView, command: UsePrivilege) -> Refusal:
    if command.privilege not in view.privileges:
        return Refusal("AUG-302", "PRIVILEGE_NOT_ON_CARD")
    category = next((category for category in Category if category.value == str(command.privilege)), None)
    if category is None:
        if command.use != Use.PLAIN or command.holder != NOBODY:
            return Refusal("AUG-323", "USE_NOT_OF_THIS_PRIVILEGE")
        return Refusal("AUG-307", "NO_CARD_TO_DRAW")
    if command.use not in OF_CATEGORY[category]:
        return Refusal(OF_RULE[category], "USE_NOT_OF_THIS_PRIVILEGE")
    if command.use == Use.STEP:
        return _step(view, me, category, command.holder)
    if command.holder != NOBODY:
        return Refusal("AUG-313", "NOT_A_HOLDER")
    return _tile(view, me, Use(command.use))


def _step(view: View, me: PlayerView, category: Category, holder: str) -> Refusal:
    step = getattr(me, category) + 1
    if step > LAST_STEP:
        return Refusal("AUG-311", "LAST_STEP_REACHED")
    in_supply = view.step_tiles[3 * tuple(Category).index(category) + step - 2]
    if in_supply and holder != NOBODY:
        return Refusal("AUG-313", "TILE_IN_SUPPLY")
    return Refusal("AUG-313", "NOT_A_HOLDER")


def _tile(view: View, me: PlayerView, use: Use) -> Refusal:
    if use in NEEDS_STEP:
        category, step, rule = NEEDS_STEP[use]
        if getattr(me, category) < step:
            return Refusal(rule, "STEP_TOO_LOW", facts(category=category, step=step))
    owned = {
        Use.MINTER: me.minter,
        Use.MASTER_BUILDER: me.builder,
        Use.COAT_OF_ARMS: me.coat,
        Use.LETTER_OF_NOBILITY: me.letter,
    }
    if use in owned:
        return Refusal("AUG-317", "TILE_OWNED" if owned[use] else "STACK_EMPTY", facts(tile=use))
    return _building(view, me, Tile(use.value))


def _building(view: View, me: PlayerView, building: Tile) -> Refusal:
    stack, owned = (view.churches, me.church) if building == Tile.CHURCH else (view.cathedrals, me.cathedral)
    if owned or not stack:
        return Refusal("AUG-317", "TILE_OWNED" if owned else "STACK_EMPTY", facts(tile=building))
    return Refusal("AUG-320", "TOO_FEW_GUILDERS", facts(cost=stack[0], guilders=me.guilders))


def _master_builder(view: View, me: PlayerView, building: Tile) -> Refusal:
    if not me.builder:
        return Refusal("AUG-319", "NO_MASTER_BUILDER")
    if view.built:
        return Refusal("AUG-319", "MASTER_BUILDER_USED")
    return _building(view, me, building) if building in BUILDINGS else Refusal("AUG-319", "BUILDING_NOT_POSSIBLE")
