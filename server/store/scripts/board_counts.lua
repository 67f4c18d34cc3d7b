#!lua flags=no-writes
-- How many players of a leaderboard have at least each of some numbers.
-- KEYS[1]: ranking. ARGV: the numbers. Answer: players in all, then one count for each number.
local answer = {redis.call('ZCARD', KEYS[1])}
for i = 1, #ARGV do
  answer[i + 1] = redis.call('ZCOUNT', KEYS[1], ARGV[i], '+inf')
end
return answer
