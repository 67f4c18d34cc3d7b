#!lua
-- Takes a board over: raises its epoch, so that whoever held it is refused from now on.
-- KEYS[1]: the board's log. ARGV: node, claim id, bell channel, payload.
-- The same claim id again (a resend) raises nothing. Answer: epoch, length, 1 when sealed.
local m = KEYS[1] .. ':m'
local last = redis.call('HMGET', m, 'claim', 'epoch', 'state')
local epoch = tonumber(last[2] or '0')
if last[1] ~= ARGV[2] then
  epoch = epoch + 1
  redis.call('HSET', m, 'epoch', epoch, 'node', ARGV[1], 'claim', ARGV[2])
  if ARGV[3] ~= '' then
    redis.call('PUBLISH', ARGV[3], epoch .. ' ' .. ARGV[4])
  end
else
  redis.call('HSET', m, 'node', ARGV[1])
end
return {epoch, redis.call('LLEN', KEYS[1]), last[3] == 'sealed' and 1 or 0}
