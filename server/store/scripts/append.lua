#!lua
-- Appends to many logs of one slot; each log is judged on its own (rulings 16, 17).
-- KEYS[i]: the log. ARGV[1]: '1' when a repetition must count as a write, so that WAIT covers it.
-- Then for each log: expected length, epoch (0: none), count of entries, the entries,
--   progress key, field, row (empty key: none), bell channel, payload (empty channel: none).
-- Answer for each log: verdict, length. 0 OK, 1 DUP, 2 CONFLICT, 3 FENCED, 4 SEALED, 5 SHORT, 6 BROKEN.
-- Writes are made with redis.call before anything of their log is answered: the store's own refusals
-- (memory, disk, read-only) stop the script before its first write.
local answers = {}
local a = 2
for i = 1, #KEYS do
  local log = KEYS[i]
  local at, epoch, count = tonumber(ARGV[a]), tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2])
  local first = a + 3
  local rest = first + count
  a = rest + 5
  local length = redis.pcall('LLEN', log)
  local verdict = 0
  if type(length) == 'table' then
    verdict, length = 6, 0
  else
    -- What is there already, byte for byte, was written by an earlier try: tested before everything else.
    if length >= at + count then
      local there = redis.call('LRANGE', log, at, at + count - 1)
      local same = true
      for k = 1, count do
        if there[k] ~= ARGV[first + k - 1] then same = false break end
      end
      if same then verdict = 1 end
    end
    if verdict == 0 then
      local m = redis.call('HMGET', log .. ':m', 'epoch', 'state')
      local stored = tonumber(m[1] or '0')
      if m[2] == 'sealed' then verdict = 4
      elseif epoch > 0 and stored > epoch then verdict = 3
      elseif epoch > 0 and stored < epoch then verdict = 5
      end
    end
    if verdict == 0 then
      if length > at then verdict = 2 elseif length < at then verdict = 5 end
    end
    if verdict == 0 then
      length = redis.call('RPUSH', log, unpack(ARGV, first, rest - 1))
      if ARGV[rest] ~= '' then
        redis.call('HSET', ARGV[rest], ARGV[rest + 1], ARGV[rest + 2])
      end
      if ARGV[rest + 3] ~= '' then
        redis.call('PUBLISH', ARGV[rest + 3], length .. ' ' .. ARGV[rest + 4])
      end
    elseif verdict == 1 and ARGV[1] == '1' then
      redis.call('LSET', log, at, ARGV[first])
    end
  end
  answers[2 * i - 1] = verdict
  answers[2 * i] = length
end
return answers
