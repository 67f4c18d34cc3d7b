"""Store programs to be killed and cut off: one alone, one watched by sentinels with replicas, and a cluster.

Lives here: the processes and the few words that are said to them directly. Lives elsewhere: a program on a unix
socket (store_fixture), the ways to it (relay).
"""

from __future__ import annotations

import asyncio
import resource
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from tests.store_fixture import Server, free_port

SLOTS = 16384


class Node(Server):
    """A server program with a TCP port as well."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.port = free_port()
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder, "--port", str(self.port), "--repl-diskless-sync-delay", "0", *options)

    def fill_disk(self, full: bool) -> None:
        """Its files may grow no further, or may again."""
        assert self.child is not None
        _, most = resource.prlimit(self.child.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.child.pid, resource.RLIMIT_FSIZE, (1 if full else most, most))


class Sentinel(Node):
    """The same program as a sentinel."""

    def __init__(self, folder: Path, config: Path) -> None:
        super().__init__(folder)
        self.words = [str(config), "--sentinel", "--port", str(self.port), "--unixsocket", str(self.socket)]
        self.words += ["--logfile", str(folder / "log")]


async def command(node: Server, *words: object) -> object:
    """Say something to one node, whatever its role."""
    client = Redis(unix_socket_path=str(node.socket), protocol=2)
    try:
        return await client.execute_command(*words)
    finally:
        await client.aclose()


async def told(node: Server, word: str, *words: object, seconds: float = 15.0) -> None:
    """Wait until the node's answer contains a word; while it is not there or refuses, go on waiting."""
    for _ in range(int(seconds / 0.05)):
        try:
            answer = str(await command(node, *words))
        except (OSError, RedisError):
            answer = ""
        if word in answer:
            return
        await asyncio.sleep(0.05)
    pytest.fail(f"{words} never said {word}")


class Watched:
    """A primary, two replicas and three sentinels, quorum two."""

    def __init__(self, folder: Path, down_after_ms: int = 700) -> None:
        self.nodes = [Node(folder / "n0", "--appendonly", "yes")]
        primary = f"127.0.0.1 {self.nodes[0].port}"
        for number in (1, 2):
            self.nodes.append(Node(folder / f"n{number}", "--appendonly", "yes", "--replicaof", primary))
        self.sentinels = []
        for number in range(3):
            home = folder / f"s{number}"
            home.mkdir(parents=True)
            config = home / "conf"
            config.write_text(
                f"sentinel monitor main {primary} 2\nsentinel down-after-milliseconds main {down_after_ms}\n"
                "sentinel failover-timeout main 4000\n"
            )
            self.sentinels.append(Sentinel(home, config))

    @property
    def url(self) -> str:
        return "redis+sentinel://" + ",".join(f"127.0.0.1:{one.port}" for one in self.sentinels) + "/main"

    async def start(self) -> None:
        """Start, and wait until everybody knows everybody."""
        for server in (*self.nodes, *self.sentinels):
            server.start()
        for node in self.nodes[1:]:
            await told(node, "'master_link_status': 'up'", "INFO", "replication")
        for one in self.sentinels:
            await told(one, "'slaves': 2, 'sentinels': 3", "INFO", "sentinel")

    def kill(self) -> None:
        """End all."""
        for server in (*self.nodes, *self.sentinels):
            server.kill()


class Cluster:
    """Three primaries, and a replica of each."""

    def __init__(self, folder: Path, node_timeout_ms: int = 1000) -> None:
        words = ["--cluster-enabled", "yes", "--appendonly", "yes", "--cluster-node-timeout", str(node_timeout_ms)]
        words += ["--cluster-require-full-coverage", "no"]
        self.nodes = []
        self.buses = [free_port() for _ in range(6)]
        for number, bus in enumerate(self.buses):
            node = Node(folder / f"n{number}", *words, "--cluster-port", str(bus), "--cluster-announce-ip", "127.0.0.1")
            self.nodes.append(node)

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    async def start(self) -> None:
        """Start, share out the slots, give each primary its replica."""
        for node in self.nodes:
            node.start()
        for number, node in enumerate(self.nodes[:3]):
            first, last = number * SLOTS // 3, (number + 1) * SLOTS // 3 - 1
            await command(node, "CLUSTER ADDSLOTSRANGE", first, last)
            await command(node, "CLUSTER SET-CONFIG-EPOCH", number + 1)
        for node, bus in zip(self.nodes[1:], self.buses[1:], strict=True):
            await command(self.nodes[0], "CLUSTER MEET", "127.0.0.1", node.port, bus)
        for node in self.nodes:
            await told(node, "cluster_known_nodes:6", "CLUSTER", "INFO")
        for number in range(3):
            name = await command(self.nodes[number], "CLUSTER MYID")
            assert isinstance(name, bytes)
            await told(self.nodes[number + 3], name.decode(), "CLUSTER", "NODES")
            await command(self.nodes[number + 3], "CLUSTER REPLICATE", name)
        for node in self.nodes[3:]:
            await told(node, "'master_link_status': 'up'", "INFO", "replication")
        for node in self.nodes:
            await told(node, "cluster_state:ok", "CLUSTER", "INFO")

    def kill(self) -> None:
        """End all."""
        for node in self.nodes:
            node.kill()
