#!lua
-- Appends to many logs of one slot; each log is judged on its own (rulings 16, 17).
-- KEYS[i]: the log. ARGV[1]: '1' when a repetition must count as a write, so that WAIT covers it.
-- ARGV[2]: MessagePack, for each log [epoch (0: none), progress key, field, expected length, entries, row,
--   [bell channel, payload]], what there is not being nil: one value is read several times faster than a dozen
--   words a log, on both sides.
-- Answer for each log: verdict, length. 0 OK, 1 DUP, 2 CONFLICT, 3 FENCED, 4 SEALED, 5 SHORT, 6 BROKEN.
-- Writes are made with redis.call before anything of their log is answered: the store's own refusals
-- (memory, disk, read-only) stop the script before its first write.
local answers = {}
local appends = cmsgpack.unpack(ARGV[2])
for i = 1, #KEYS do
  local log = KEYS[i]
  local append = appends[i]
  local epoch, at, entries, row, bell = append[1], append[4], append[5], append[6], append[7]
  local count = #entries
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
        if there[k] ~= entries[k] then same = false break end
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
      length = redis.call('RPUSH', log, unpack(entries))
      if row then redis.call('HSET', append[2], append[3], row) end
      if bell then redis.call('PUBLISH', bell[1], length .. ' ' .. bell[2]) end
    elseif verdict == 1 and ARGV[1] == '1' then
      redis.call('LSET', log, at, entries[1])
    end
  end
  answers[2 * i - 1] = verdict
  answers[2 * i] = length
end
return answers
