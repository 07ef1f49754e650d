"""What is put together from encodings is what protobuf itself would have written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kontor.v1 import Change, ChangeAndView, GetViewResponse, ListChangesResponse, Table, View
from service.encoding import holder

LENGTHS = st.one_of(st.integers(0, 300), st.integers(16_000, 17_000))  # around one, two and three bytes of length


@given(LENGTHS)
def test_a_field_holds_an_encoding(length: int) -> None:
    """Whatever the length of what is held."""
    view = View(table=Table(id="T" * length))
    encoded = holder(GetViewResponse, "view")(view.SerializeToString())
    assert encoded == GetViewResponse(view=view).SerializeToString()


def test_fields_one_after_the_other_are_a_message() -> None:
    """Repeated ones too, and with what protobuf itself has written behind them."""
    change, view = Change(seat=2), View(seat=3)
    both = holder(ChangeAndView, "change")(change.SerializeToString()) + holder(ChangeAndView, "view")(
        view.SerializeToString()
    )
    assert ChangeAndView.FromString(both) == ChangeAndView(change=change, view=view)
    listed = holder(ListChangesResponse, "changes")
    rest = ListChangesResponse(next_page_token="9").SerializeToString()
    found = ListChangesResponse.FromString(listed(both) + listed(both) + rest)
    assert found == ListChangesResponse(changes=[ChangeAndView(change=change, view=view)] * 2, next_page_token="9")
