"""The private part of picows that the transport relies on: its protocol factory. A test names the version.

picows makes the factory in `ws_create_server` and hands it to the loop's `create_server` at once. Here `create_server` is
replaced for as long as that takes, so that nothing listens and the factory is kept.
"""

import asyncio
from collections.abc import Callable

from picows import WSAutoPingStrategy, WSUpgradeRequest, WSUpgradeResponseWithListener, ws_create_server

from live.protocol import MAX_FIRST_SYNC

type Factory = Callable[[], asyncio.BufferedProtocol]


async def picows_factory(route: Callable[[WSUpgradeRequest], WSUpgradeResponseWithListener]) -> Factory:
    """Return the factory of protocols whose handshakes `route` answers."""
    loop = asyncio.get_running_loop()
    kept: list[Factory] = []
    listen = loop.create_server

    async def keep(factory: Factory, *_: object, **__: object) -> None:
        kept.append(factory)

    loop.create_server = keep  # type: ignore[assignment,method-assign]
    try:
        await ws_create_server(
            route,
            use_aiofastnet=False,
            max_frame_size=MAX_FIRST_SYNC,
            auto_ping_strategy=WSAutoPingStrategy.PING_WHEN_IDLE,
            enable_auto_pong=False,
        )
    finally:
        loop.create_server = listen  # type: ignore[method-assign]
    return kept[0]
