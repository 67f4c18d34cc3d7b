#!lua
-- Lets keys of a room expire, or keeps them for ever, whichever comes first or last: what is kept stays kept.
-- KEYS[1]: mark of a room that is kept, then the keys. ARGV[1]: seconds until they expire; 0: keep them.
local seconds = tonumber(ARGV[1])
if seconds == 0 then
  redis.call('SET', KEYS[1], 1)
  for i = 2, #KEYS do redis.call('PERSIST', KEYS[i]) end
elseif redis.call('EXISTS', KEYS[1]) == 0 then
  for i = 2, #KEYS do redis.call('EXPIRE', KEYS[i], seconds) end
end
return 1
