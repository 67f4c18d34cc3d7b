#!lua
-- Writes what a heat did to the ratings of a ruleset, once for each heat.
-- KEYS: log (list), now (hash), heats (hash: heat -> index in the log), then one curve (list) for each player.
-- ARGV: expected length of the log, heat, entry of the log, then for each player: player, rating, point of the curve.
-- Answer: verdict, index of the heat's entry. 0 written, 1 it was there before, 2 others have written meanwhile.
local there = redis.call('HGET', KEYS[3], ARGV[2])
if there then return {1, tonumber(there)} end
local length = redis.call('LLEN', KEYS[1])
if length ~= tonumber(ARGV[1]) then return {2, length} end
redis.call('RPUSH', KEYS[1], ARGV[3])
redis.call('HSET', KEYS[3], ARGV[2], length)
for i = 4, #KEYS do
  local at = 3 * (i - 3) + 1
  redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1])
  redis.call('RPUSH', KEYS[i], ARGV[at + 2])
end
return {0, length}
