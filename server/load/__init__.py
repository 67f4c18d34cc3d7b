"""The load generator: honest players in processes of their own, over real sockets, with the real rules."""
