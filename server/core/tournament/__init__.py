"""The tournament machine: entrants, rounds and standings, with no clock, socket, store or chance of its own."""
