#!lua
-- Appends to many logs of one slot; each log is judged on its own (rulings 16, 17).
-- KEYS[i]: the log. ARGV[1]: '1' when a repetition must count as a write, so that WAIT covers it.
-- ARGV[2]: MessagePack, for each log [epoch (0: none), progress key, field, expected length, entries, row,
--   [bell channel, payload]], what there is not being nil: one value is read several times faster than a dozen
--   words a log, on both sides.
-- Answer for each log: verdict, length. 0 OK, 1 DUP, 2 CONFLICT, 3 FENCED, 4 SEALED, 5 SHORT, 6 BROKEN.
-- The store's own refusals (memory, disk, read-only) stop the script before its first write.
local answers = {}
local call, pcall = redis.call, redis.pcall
local appends = cmsgpack.unpack(ARGV[2])
for i = 1, #KEYS do
  local log = KEYS[i]
  local append = appends[i]
  local epoch, at, entries, row, bell = append[1], append[4], append[5], append[6], append[7]
  local count = #entries
  local verdict, length
  local m = call('HMGET', log .. ':m', 'epoch', 'state')
  local stored = epoch > 0 and tonumber(m[1] or '0') or epoch
  if m[2] == 'sealed' then verdict = 4
  elseif stored > epoch then verdict = 3
  elseif stored < epoch then verdict = 5
  else
    -- Nearly always the log is as long as expected: asking first would be one command more for each move.
    length = pcall('RPUSH', log, unpack(entries))
    if length == at + count then
      verdict = 0
      if row then call('HSET', append[2], append[3], row) end
      if bell then call('PUBLISH', bell[1], length .. ' ' .. bell[2]) end
    elseif type(length) == 'number' then
      call('RPOP', log, count)
    end
  end
  if verdict ~= 0 then
    local refused = length
    length = pcall('LLEN', log)
    if type(length) == 'table' then
      verdict, length = 6, 0
    elseif type(refused) == 'table' then
      error(refused)
    else
      -- What is there already, byte for byte, was written by an earlier try: that comes before every other verdict.
      local same = length >= at + count
      if same then
        local there = call('LRANGE', log, at, at + count - 1)
        for k = 1, count do
          if there[k] ~= entries[k] then same = false break end
        end
      end
      if same then
        verdict = 1
        if ARGV[1] == '1' then call('LSET', log, at, entries[1]) end
      elseif not verdict then
        verdict = length > at and 2 or 5
      end
    end
  end
  answers[2 * i - 1] = verdict
  answers[2 * i] = length
end
return answers
