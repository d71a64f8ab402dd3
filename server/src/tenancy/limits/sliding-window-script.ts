// The same window as in `local-limiter.ts`, in Redis or Valkey: one list of admission times per bucket, oldest first,
// in microseconds of the server's own clock, so that the instances' clocks do not matter. A script runs alone, so a
// compound take is atomic. A key expires one window and a second after its last admission.
//
// KEYS: the buckets. ARGV: the window in milliseconds, then the limit of each bucket. The answer, for each bucket:
// admissions before this request, microseconds until a permit is free, and until the oldest leaves.
export const slidingWindowScript = `
local window = ARGV[1] * 1000
local lifetime = ARGV[1] + 1000
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local answer = {}
local admitted = true

local function oldest(key)
  return tonumber(redis.call('LINDEX', key, 0))
end

-- The clock was set back, or another server took over: take the step out, else a full bucket stays full for its length.
local function settle(key)
  local newest = tonumber(redis.call('LINDEX', key, -1))
  if not newest or newest <= now then return end
  local times = redis.call('LRANGE', key, 0, -1)
  redis.call('DEL', key)
  for _, time in ipairs(times) do
    redis.call('RPUSH', key, string.format('%.0f', time - newest + now))
  end
  redis.call('PEXPIRE', key, lifetime)
end

for index, key in ipairs(KEYS) do
  local limit = tonumber(ARGV[index + 1])
  settle(key)
  local first = oldest(key)
  while first and first <= now - window do
    redis.call('LPOP', key)
    first = oldest(key)
  end
  local used = redis.call('LLEN', key)
  local wait = 0
  if used >= limit then
    admitted = false
    wait = window
    if limit > 0 then wait = tonumber(redis.call('LINDEX', key, used - limit)) + window - now end
  end
  answer[#answer + 1] = used
  answer[#answer + 1] = wait
  answer[#answer + 1] = first and first + window - now or 0
end

if admitted then
  for _, key in ipairs(KEYS) do
    redis.call('RPUSH', key, string.format('%.0f', now))
    redis.call('PEXPIRE', key, lifetime)
  end
end
return answer
`
