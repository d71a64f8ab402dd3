// A business's endpoint may be slow, broken or in the wrong hands. Whatever it does, each call ends with a named status and in
// time, and the memory of the service does not grow with what it was sent.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { memoryVerdict } from './fuzz/memory.ts'
import { type Called, callAll } from './hostile/call-all.ts'
import { FINE, type Manner } from './hostile/manners.ts'
import { openShop } from './hostile/shop.ts'
import { startEndpoints } from './hostile/start-endpoints.ts'
import { startService } from './rig/running-service.ts'

const calls = Number(process.env.HOSTILE_CALLS ?? 10_000)
const timeoutMs = 2_000
const maxBytes = 65_536
// The timer of a call is exact to the turn of the event loop in which it falls due: on a busy machine those are long.
const lateMs = 1_500
// Measured: 20 MiB after 10,000 calls, and 21 MiB after 30,000.
const mostGrownMiB = 48
// What hundreds of calls hold at once: answers of the largest size, and the buffers of sockets that are flooded.
const mostPeakMiB = 256

test(`${calls} calls to hostile endpoints`, { timeout: 600_000 }, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'tether-hostile-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const operatorKey = `operator-${randomBytes(24).toString('hex')}`
  const service = await startService({
    directory,
    settings: {
      'Operator:ApiKey': operatorKey,
      'RateLimit:ControlPerMinute': '1000000',
      'RateLimit:RuntimePerMinute': '1000000',
      'ToolTransport:TimeoutSeconds': String(timeoutMs / 1000),
      'ToolTransport:MaxResponseBytes': String(maxBytes),
      // Each attempt has its own name; tries after it would only hide that.
      'ToolTransport:MaxAttempts': '1',
      'Log:Level': 'warn',
    },
  })
  t.after(() => service.kill())
  const { manners, urls, trapped, stop } = await startEndpoints({ timeoutMs, maxBytes })
  t.after(stop)
  const shops = await Promise.all(
    manners.map((manner, at) => openShop(service, operatorKey, { manner, url: urls[at] ?? '' })),
  )

  const before = service.residentBytes() / 1024 / 1024
  const started = performance.now()
  const { called, resident } = await callAll(service, shops, calls)
  const seconds = (performance.now() - started) / 1000
  const memory = memoryVerdict(resident)
  const peak = Math.max(...resident) / 1024 / 1024
  for (const line of told(manners, called)) t.diagnostic(line)
  t.diagnostic(`${called.length} calls in ${seconds.toFixed(1)} s`)
  t.diagnostic(
    `resident: ${before.toFixed()} MiB before, ${memory.before.toFixed()} MiB after the warm-up, ${memory.after.toFixed()} MiB at the end, ${peak.toFixed()} MiB at most`,
  )

  await t.test('every call has the status of its name', () => {
    assert.deepEqual(distinct(called.filter(({ manner, status }) => status !== manner.read)), [])
  })
  await t.test('what is fine arrives whole, and what nobody asked for never does', () => {
    const isWhole = ({ text }: Called) => text.includes(`"result":${FINE},`)
    assert.deepEqual(distinct(called.filter((one) => isWhole(one) !== (one.manner.read === 'ok'))), [])
  })
  await t.test('nobody followed a redirect', async () => assert.equal(await trapped(), 0))
  await t.test('every call ends in time', () => {
    const latest = Math.max(...called.map(({ durationMs }) => durationMs))
    assert.ok(latest <= timeoutMs + lateMs, `one took ${latest} ms, and the timeout is ${timeoutMs} ms`)
  })
  await t.test(
    'a confirmed write is called executed only where it was, and failed only where nothing was sent',
    async () => {
      const confirmed = await Promise.all(shops.map((shop) => shop.confirmWrite()))
      assert.deepEqual(
        confirmed.map((status, at) => `${manners[at]?.name}: ${status}`),
        manners.map(({ name, write }) => `${name}: ${write}`),
      )
      assert.equal(await trapped(), 0)
    },
  )
  await t.test('memory stayed flat, and bounded at its highest', () => {
    if (calls < 5_000) return
    assert.ok(memory.grown < mostGrownMiB, `it grew by ${memory.grown.toFixed(1)} MiB`)
    assert.ok(peak - before < mostPeakMiB, `it stood ${(peak - before).toFixed()} MiB higher than at the start`)
  })
  await t.test('the service says nothing of a failure, serves, and stops when it is asked to', async () => {
    assert.equal((await service.ask('GET', '/health')).status, 200)
    assert.equal(await service.stop(), 0)
    assert.doesNotMatch(service.output(), /failed on our side|"level":"error"/)
  })
})

const distinct = (called: readonly Called[]): string[] => [
  ...new Set(called.map(({ manner, status, text }) => `${manner.name}: ${status}, ${text.replace(/\d+/g, 'n')}`)),
]

function told(manners: readonly Manner[], called: readonly Called[]): string[] {
  return manners.map((manner) => {
    const own = called.filter((one) => one.manner === manner)
    const counts = Object.entries(Object.groupBy(own, ({ status }) => status)).map(
      ([status, some]) => `${status} ${some?.length}`,
    )
    return `${manner.name}: ${counts.join(', ')}, at most ${Math.max(...own.map(({ durationMs }) => durationMs))} ms`
  })
}
