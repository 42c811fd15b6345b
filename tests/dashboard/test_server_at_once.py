"""The server's sockets: they, and what they accept, send at once."""

import asyncio
import socket

from cra_dashboard.session import server


def test_connections_take_it_over_from_the_socket_that_listens():
    async def tried():
        listening = socket.create_server(("127.0.0.1", 0))
        accepted = asyncio.get_running_loop().create_future()
        made = await asyncio.start_server(lambda _, writer: accepted.set_result(writer), sock=listening)
        server._set_no_delay(asyncio.get_running_loop())
        _, client = await asyncio.open_connection(*listening.getsockname())
        writer = await accepted
        delay = writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        client.close()
        writer.close()
        made.close()
        return delay

    assert asyncio.run(tried())


def test_without_a_server_there_is_nothing_to_do():
    server.send_at_once()
