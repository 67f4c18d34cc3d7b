#!lua
-- The public rooms: forgets the stale ones, then lists.
-- KEYS: rows (hash), until (zset). ARGV: now_ms, at most how many. Answer: code, row, code, row, …
local stale = redis.call('ZRANGE', KEYS[2], '-inf', ARGV[1], 'BYSCORE')
for _, code in ipairs(stale) do
  redis.call('HDEL', KEYS[1], code)
  redis.call('ZREM', KEYS[2], code)
end
local answer = {}
for _, code in ipairs(redis.call('ZRANGE', KEYS[2], 0, tonumber(ARGV[2]) - 1, 'REV')) do
  local row = redis.call('HGET', KEYS[1], code)
  if row then
    answer[#answer + 1] = code
    answer[#answer + 1] = row
  end
end
return answer
