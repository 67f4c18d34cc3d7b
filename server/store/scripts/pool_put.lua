#!lua
-- Puts a certified deal into the pool of its ruleset, unless it is there or the pool is full.
-- KEYS: codes (list), solutions (hash). ARGV: code, solution, at most how many. Answer: 1 when it was put.
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[3]) then
  return 0
end
if redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[2]) == 0 then
  return 0
end
redis.call('RPUSH', KEYS[1], ARGV[1])
return 1
