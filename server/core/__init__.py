"""The pure machines: what a room, a heat and a result are, with no clock, socket, store or chance of their own."""
