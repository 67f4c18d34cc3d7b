#!lua
-- Adds a result to a player's history once, and counts it.
-- KEYS: results (zset by time), counts (hash). ARGV: at_ms, entry, most results to keep, ruleset, kind,
-- 1 when won, 1 when first of several, score ('' when it counts for no best), time ('' likewise), what to
-- note beside a best. Answer: 1 when it was new.
if redis.call('ZSCORE', KEYS[1], ARGV[2]) then return 0 end
local most = tonumber(ARGV[3])
if redis.call('ZCARD', KEYS[1]) >= most then
  -- Older than all that is kept: it was counted before it was dropped.
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  if tonumber(ARGV[1]) < tonumber(oldest[2]) then return 0 end
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -most)
end
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
local of = ARGV[4]
redis.call('HINCRBY', KEYS[2], of .. ':results', 1)
redis.call('HINCRBY', KEYS[2], of .. ':won', ARGV[6])
redis.call('HINCRBY', KEYS[2], ARGV[5] .. ':results', 1)
redis.call('HINCRBY', KEYS[2], ARGV[5] .. ':firsts', ARGV[7])
local function best(name, value, better)
  local field = of .. ':' .. name
  local there = redis.call('HGET', KEYS[2], field)
  if value ~= '' and (not there or better(tonumber(value), tonumber(there))) then
    redis.call('HSET', KEYS[2], field, value, field .. ':of', ARGV[10])
  end
end
best('score', ARGV[8], function(new, old) return new > old end)
best('time', ARGV[9], function(new, old) return new < old end)
return 1
