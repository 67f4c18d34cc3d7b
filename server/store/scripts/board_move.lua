#!lua
-- Takes a player's row off a leaderboard, or puts it back. What is taken off lives on in a shadow of the board,
-- where further results go (board_put), so that putting back loses none.
-- KEYS: ranking, rows, reasons (hash), ranking and rows of the shadow, log of what was done (list).
-- ARGV: player, '1' off or '0' back, reason, line for the log. Answer: 1 done, 0 the player is not there.
local off = ARGV[2] == '1'
local from, to = off and 1 or 4, off and 4 or 1
local removed = redis.call('HEXISTS', KEYS[3], ARGV[1]) == 1
local number = redis.call('ZSCORE', KEYS[from], ARGV[1])
if removed == off or not number then return 0 end
local row = redis.call('HGET', KEYS[from + 1], ARGV[1])
redis.call('ZADD', KEYS[to], number, ARGV[1])
if row then redis.call('HSET', KEYS[to + 1], ARGV[1], row) end
redis.call('ZREM', KEYS[from], ARGV[1])
redis.call('HDEL', KEYS[from + 1], ARGV[1])
if off then
  redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
else
  redis.call('HDEL', KEYS[3], ARGV[1])
end
redis.call('RPUSH', KEYS[6], ARGV[4])
return 1
