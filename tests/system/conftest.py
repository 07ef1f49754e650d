"""What the campaigns' short forms share."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """On asyncio's own loop."""
    return "asyncio"
