#!lua
-- Takes the oldest certified deal out of the pool; nobody gets it again.
-- KEYS: codes (list), solutions (hash). Answer: code, solution; nothing when the pool is empty.
local code = redis.call('LPOP', KEYS[1])
while code do
  local solution = redis.call('HGET', KEYS[2], code)
  redis.call('HDEL', KEYS[2], code)
  if solution then
    return {code, solution}
  end
  code = redis.call('LPOP', KEYS[1])
end
return {}
