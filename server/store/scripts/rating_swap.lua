#!lua
-- Puts ratings that were prepared under other names in the place of those that are there, if nobody has rated since.
-- KEYS[1]: log. ARGV: its expected length, how many keys are replaced. KEYS[2..]: prepared key and key it replaces,
-- pair by pair, then keys that go. Answer: 1 when it was done.
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
local last = 1 + 2 * tonumber(ARGV[2])
for i = 2, last, 2 do redis.call('RENAME', KEYS[i], KEYS[i + 1]) end
for i = last + 1, #KEYS do redis.call('DEL', KEYS[i]) end
return 1
