"""Who has won, and who plays for the absent."""

from __future__ import annotations

from domain.engine import Decision, Points, Result, Standing
from domain.options import Option, PickNumber, PickOne, PickSome
from domain.values import members

from .commands import (
    Bid,
    BuyCertificates,
    Call,
    ChooseCompensation,
    Command,
    Compensation,
    Discard,
    Finish,
    Forgo,
    GiveCertificate,
    Pass,
    PresentCertificates,
    TakePrivilegeCard,
    Use,
    UsePrivilege,
)  # fmt: skip
from .components import JOKER, Card, Noble, Privilege
from .events import GAINS
from .play import victory
from .state import State
from .views import PlayerView, View


def result(state: State) -> Result | None:
    """The ranking by prestige; the tie-break counts for the victory alone (AUG-501, AUG-502)."""
    if state.agenda:
        return None
    winners, rule = victory(state)
    ranking = sorted(state.seats, key=lambda seat: (seat not in winners, -state.player(seat).prestige, seat))
    standings: list[Standing] = []
    for place, seat in enumerate(ranking, 1):
        player = state.player(seat)
        before = standings[-1] if standings else None
        tied = before is not None and before.points == player.prestige and (before.seat in winners) == (seat in winners)
        by_source = tuple(Points(gain, points) for gain, points in zip(GAINS, player.earned, strict=True))
        standings.append(Standing(seat, before.place if tied and before else place, player.prestige, by_source))
    return Result(tuple(standings), rule)


def stand_in(view: View, decision: Decision) -> Command:
    """A merchant of common sense: strong cards bid modestly, steps first, a church before the limit bites."""
    me = view.players[view.seat - 1]
    options = {option.command: option for option in decision.options}
    if "Pass" in options:
        return _bid(view, options)
    if "PresentCertificates" in options:
        return _present(options["PresentCertificates"])
    if "TakePrivilegeCard" in options:
        best = max(view.face_up, key=lambda card: (_worth(view, me, card.privileges), card.key))
        return TakePrivilegeCard(best.key)
    if decision.question == "using":
        return _use(view, me, decision.options)
    if "ChooseCompensation" in options:
        at_limit = me.limit is not None and me.prestige >= me.limit
        return ChooseCompensation(Compensation.GUILDERS if at_limit else Compensation.PRESTIGE)
    if "BuyCertificates" in options:
        return _buy(view, me)
    if "Discard" in options:
        return Discard(_worst(view.hand))
    return GiveCertificate(_worst(view.hand) if view.hand else "nothing")


def _of(view: View, noble: Noble | None) -> list[Card]:
    """The certificates that count at a noble, best first."""
    mine = (card for card in view.hand if card.noble and noble in (card.noble, Noble.MAXIMILIAN))
    return sorted(mine, key=lambda card: -card.value)


def _bid(view: View, options: dict[str, Option]) -> Command:
    """Go as far as the number of cards that the best certificate is worth; call where a raise would be too much."""
    cards = _of(view, view.noble)
    jokers = sum(card.noble is None for card in view.hand)
    best = cards[0].value if cards else 0
    willing = len(cards) + (jokers if best >= 10 else 0) if best >= 7 else min(1, len(cards))
    if view.noble == Noble.MAXIMILIAN:
        willing = min(willing, 3 + view.round // 2)
    if "Bid" in options:
        slot = options["Bid"].slots[0]
        assert isinstance(slot, PickNumber)
        if not view.bid and willing:
            return Bid(min(slot.most, max(1, willing - 1)))
        if best < 13 and slot.least <= min(willing, slot.most):
            return Bid(slot.least)
    return Call() if "Call" in options and view.bid <= willing else Pass()


def _present(option: Option) -> Command:
    """The best certificate, then the worst that fill the bid, jokers only where needed."""
    slot = option.slots[0]
    assert isinstance(slot, PickSome)
    certificates = sorted((item.key for item in slot.items if item.key != JOKER), key=_value)
    best, rest = certificates[-1], certificates[:-1]
    filling = [*rest, *[JOKER] * slot.most][: slot.most - 1]
    return PresentCertificates(tuple(sorted((best, *filling))))


def _value(key: str) -> int:
    return 0 if key == JOKER else int(key.rsplit("-", 1)[1])


def _worst(hand: tuple[Card, ...]) -> str:
    """The lowest certificate, a joker last."""
    return min(hand, key=lambda card: (card.noble is None, card.value, card.key)).key


WORTH = {
    Privilege.NOBILITY: 9,
    Privilege.PRESTIGE_7: 7,
    Privilege.PRESTIGE_6: 6,
    Privilege.OFFICE: 6,
    Privilege.TRADE: 5,
    Privilege.MONEY: 4,
    Privilege.DRAW: 2,
}


def _worth(view: View, me: PlayerView, privileges: tuple[Privilege, ...]) -> int:
    """What a card is worth to us: its two best privileges."""
    return sum(sorted((_weight(view, me, privilege) for privilege in privileges), reverse=True)[:2])


def _weight(view: View, me: PlayerView, privilege: Privilege) -> int:
    room = 99 if me.limit is None else me.limit - me.prestige
    if privilege in (Privilege.PRESTIGE_6, Privilege.PRESTIGE_7):
        return min(WORTH[privilege], room)
    if privilege == Privilege.NOBILITY and me.nobility == 4 and me.coat and me.letter:
        return 0
    if privilege == Privilege.OFFICE and _wants(view, me):
        return 12
    return WORTH[privilege]


def _wants(view: View, me: PlayerView) -> Use | None:
    """The building that the limit will soon ask for, if we can pay it."""
    guilders = me.guilders or 0
    late = view.round >= view.rounds - 2
    if not me.church and view.churches and view.churches[0] <= guilders and (me.prestige >= 12 or late):
        return Use.CHURCH
    if me.church and not me.cathedral and view.cathedrals and view.cathedrals[0] <= guilders and me.prestige >= 28:
        return Use.CATHEDRAL
    return None


USES = (Use.LETTER_OF_NOBILITY, Use.STEP, Use.COAT_OF_ARMS, Use.PLAIN, Use.MASTER_BUILDER, Use.MINTER, Use.GUILDERS)


def _use(view: View, me: PlayerView, options: tuple[Option, ...]) -> Command:
    """The building we want, then the privilege that is worth most, used in the best way that is offered."""
    make, wanted = members(Command), _wants(view, me)
    ranked: list[tuple[int, int, int, Option]] = []
    for place, option in enumerate(options):
        given = {filled.field: filled.key for filled in option.given}
        if option.command == "UseMasterBuilder" and given["building"] == wanted:
            return make["UseMasterBuilder"](**given)  # type: ignore[return-value]
        if option.command == "UsePrivilege":
            use = Use(given["use"])
            weight = 20 if use == wanted else _weight(view, me, Privilege(given["privilege"]))
            if use in USES or use == wanted:
                ranked.append((-weight, USES.index(use) if use in USES else 0, place, option))
    if not ranked:
        return Forgo() if any(option.command == "Forgo" for option in options) else Finish()
    weight, _, _, option = min(ranked)
    if -weight < 2:
        return Forgo()
    filled = {given.field: given.key for given in option.given}
    if option.slots and isinstance(option.slots[0], PickOne):
        filled["holder"] = option.slots[0].keys[0]
    return UsePrivilege(Privilege(filled["privilege"]), Use(filled["use"]), filled["holder"])


def _buy(view: View, me: PlayerView) -> Command:
    """High certificates first, then jokers, and a reserve for a church once the limit comes near."""
    reserve = 500 if not me.church and view.round >= 2 else 0
    left, bought = (me.guilders or 0) - reserve, []
    for card in sorted(view.dealt, key=lambda card: (-(card.value or 12), card.key)):
        if card.price <= left and (card.value >= 9 or card.noble is None):
            left -= card.price
            bought.append(card.key)
    return BuyCertificates(tuple(sorted(bought)))
