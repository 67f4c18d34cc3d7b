#!lua
-- Puts a player's row on a leaderboard, number and row together.
-- KEYS: ranking (zset), rows (hash), who was taken off (hash), ranking and rows of those. ARGV: player, packed number, row, rule, days of the row, index of the
-- days in a row. Rules: 'first' keeps what is there; 'best' replaces a smaller number; 'grown' replaces a row
-- of no more days (sums: the row of more days has seen more); 'set' replaces whatever is there.
-- Answer: 1 when this row stands on the board now.
if redis.call('HEXISTS', KEYS[3], ARGV[1]) == 1 then KEYS[1], KEYS[2] = KEYS[4], KEYS[5] end
local there = redis.call('ZSCORE', KEYS[1], ARGV[1])
if there and ARGV[4] ~= 'set' then
  local row = redis.call('HGET', KEYS[2], ARGV[1])
  local keep = ARGV[4] == 'first'
    or (ARGV[4] == 'best' and tonumber(there) >= tonumber(ARGV[2]))
    or (ARGV[4] == 'grown' and row and cmsgpack.unpack(row)[tonumber(ARGV[6])] > tonumber(ARGV[5]))
  if keep then
    return row == ARGV[3] and 1 or 0
  end
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
return 1
