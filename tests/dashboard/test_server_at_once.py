"""The server's sockets: they, and what they accept, send at once."""

import asyncio
import socket

from streamlit.web.server.starlette import starlette_server

from cra_dashboard.program import _sending_at_once


def test_connections_take_it_over_from_the_socket_that_listens():
    async def tried():
        listening = _sending_at_once(starlette_server._bind_socket)("127.0.0.1", 0, 5)
        accepted = asyncio.get_running_loop().create_future()
        made = await asyncio.start_server(lambda _, writer: accepted.set_result(writer), sock=listening)
        _, client = await asyncio.open_connection(*listening.getsockname())
        writer = await accepted
        delay = writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        client.close()
        writer.close()
        made.close()
        return delay

    assert asyncio.run(tried())
