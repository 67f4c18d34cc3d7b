#!lua
-- Puts a room among those that wait for people, behind all that wait already; offered again it keeps its place.
-- KEYS[1]: the waiting rooms, by the ms at which they go stale. ARGV: code, that ms, seconds to keep the key.
local score = tonumber(ARGV[2])
local last = redis.call('ZRANGE', KEYS[1], 0, 0, 'REV', 'WITHSCORES')
if last[2] and tonumber(last[2]) >= score then
  score = tonumber(last[2]) + 1
end
redis.call('ZADD', KEYS[1], 'NX', score, ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
