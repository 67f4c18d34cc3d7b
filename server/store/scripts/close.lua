#!lua
-- Closes a heat (ruling 1): seals every board and appends HeatClosed(at_ms, heat, lengths) to the room's log.
-- KEYS[1]: the room's log, KEYS[2..]: the boards. ARGV: expected length of the room's log, tag of the
-- event, at_ms, heat, ms to keep the boards (0: for ever), bell channel, payload.
-- Answer: verdict, length of the room's log, the entry that stands (empty on CONFLICT and SHORT).
-- All or nothing: nothing is sealed unless the entry is appended.
local at, tag = tonumber(ARGV[1]), tonumber(ARGV[2])
local length = redis.call('LLEN', KEYS[1])
if length > at then
  local there = redis.call('LINDEX', KEYS[1], at)
  local ok, event = pcall(cmsgpack.unpack, there)
  if ok and type(event) == 'table' and event[1] == tag and event[3] == ARGV[4] then
    -- Repeated, or another process was first: a write of no effect, so that WAIT covers it.
    redis.call('LSET', KEYS[1], at, there)
    return {1, length, there}
  end
  return {2, length, ''}
elseif length < at then
  return {5, length, ''}
end
local lengths = {}
local keep = tonumber(ARGV[5])
for i = 2, #KEYS do
  local m = KEYS[i] .. ':m'
  local final = redis.call('LLEN', KEYS[i])
  redis.call('HSET', m, 'state', 'sealed', 'final', final)
  lengths[i - 1] = final
  if keep > 0 then
    redis.call('PEXPIRE', KEYS[i], keep)
    redis.call('PEXPIRE', m, keep)
  end
end
local entry = cmsgpack.pack({tag, tonumber(ARGV[3]), ARGV[4], lengths})
length = redis.call('RPUSH', KEYS[1], entry)
if ARGV[6] ~= '' then
  redis.call('PUBLISH', ARGV[6], length .. ' ' .. ARGV[7])
end
return {0, length, entry}
