#!lua
-- Lends out what is due: it comes back after the lease unless it is done by then.
-- KEYS[1]: kupa:due. ARGV: now_ms, at most how many, lease in ms. Answer: the members.
local members = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, member in ipairs(members) do
  redis.call('ZADD', KEYS[1], tonumber(ARGV[1]) + tonumber(ARGV[3]), member)
end
return members
