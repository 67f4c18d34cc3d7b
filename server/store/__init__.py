"""The store: the only importer of redis-py, and the only place that knows keys and scripts.

`connect.open_store(url)` answers a `Store`: `.logs` (append, claim, close, load), `.bells`, `.due`,
`.players`, `.rooms`, `.nodes`, `.clock`. `embedded.Embedded` is the store that needs no set-up.
Errors: `errors.StoreUnusable` at start, `StoreAway`, `StoreFull` and `StoreBusy` later. `keys` builds
every key; `ids` makes ids. Every operation may be repeated when its outcome is unknown.
"""
