#!lua
-- Seals one board that stands alone (a daily attempt): nothing is appended to it any more.
-- KEYS[1]: the board's log. Answer: its length, which stays.
local m = KEYS[1] .. ':m'
local final = redis.call('LLEN', KEYS[1])
redis.call('HSET', m, 'state', 'sealed', 'final', final)
return final
