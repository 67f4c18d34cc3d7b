"""Kupa's patience: cards, rules, deals and boards as plain values.

Nothing here awaits, reads a clock, draws a random number, logs or touches a file; `engine.vectors`
and `engine.golden` are small programs around it and the only exceptions.
"""
