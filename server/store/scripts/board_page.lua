#!lua flags=no-writes
-- Reads a piece of a leaderboard, best first.
-- KEYS: ranking (zset), rows (hash). ARGV: 'page', first rank from 0, count; or 'around', player, how many on each
-- side. Answer: players on the board, rank of the first row (-1: the player is not on it), place of the first
-- row (1 + how many have more), then player, number, row for each.
local total = redis.call('ZCARD', KEYS[1])
local first, last
if ARGV[1] == 'around' then
  local rank = redis.call('ZREVRANK', KEYS[1], ARGV[2])
  if not rank then return {total, -1, 0} end
  first = math.max(0, rank - tonumber(ARGV[3]))
  last = rank + tonumber(ARGV[3])
else
  first = tonumber(ARGV[2])
  last = first + tonumber(ARGV[3]) - 1
end
local found = redis.call('ZRANGE', KEYS[1], first, last, 'REV', 'WITHSCORES')
local answer = {total, first, 0}
if #found == 0 then return answer end
answer[3] = 1 + redis.call('ZCOUNT', KEYS[1], '(' .. found[2], '+inf')
local players = {}
for i = 1, #found, 2 do players[#players + 1] = found[i] end
local rows = redis.call('HMGET', KEYS[2], unpack(players))
for i = 1, #players do
  answer[#answer + 1] = players[i]
  answer[#answer + 1] = found[2 * i]
  answer[#answer + 1] = rows[i] or ''
end
return answer
