// Generated requests from the service's own reference: no failure, no hang, no word about the inside, and flat memory.
import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { openBusiness } from '../testkit/pretend-business.ts'
import { memoryVerdict } from './fuzz/memory.ts'
import { fuzz } from './fuzz/run.ts'
import { tellFound, tellLoggedErrors, tellReport } from './fuzz/tell.ts'
import { startService } from './rig/running-service.ts'

const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))
const requests = Number(process.env.FUZZ_REQUESTS ?? 20_000)

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
// Measured: 20,000 requests leave the process within 30 MiB of where it stood after the first quarter.
const mostGrownMiB = 64

const PATIENT = {
  'Account:MaxLiveKeys': '1000',
  // A generated endpoint leads nowhere, and is not waited for.
  'ToolTransport:TimeoutSeconds': '2',
  'ToolTransport:MaxAttempts': '1',
  'RateLimit:ControlPerMinute': '1000000',
  'RateLimit:RuntimePerMinute': '1000000',
  'RateLimit:AnonymousPerMinute': '1000000',
  'RateLimit:VisitorPerMinute': '1000000',
}

test(`${requests} generated requests (FUZZ_SEED=${seed})`, { timeout: 1_800_000 }, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'tether-fuzz-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const operatorKey = `operator-${randomBytes(24).toString('hex')}`
  const business = await openBusiness()
  t.after(() => business.close())
  const settings = { ...PATIENT, 'Operator:ApiKey': operatorKey }
  // The first start makes the database, and that takes memory which is given back at some time or other.
  await (await startService({ directory, settings })).stop()
  const service = await startService({ directory, settings })
  t.after(() => service.kill())
  const { port, ask, residentBytes } = service
  const report = await fuzz(
    { port, operatorKey, ask, residentBytes, endpoint: business.url, insides: [ROOT, directory] },
    { seed, requests, parallel: 8, deadlineMs: 20_000 },
  )
  for (const line of tellReport(report)) t.diagnostic(line)
  const memory = memoryVerdict(report.memory)
  t.diagnostic(`resident: ${memory.before.toFixed()} MiB after the warm-up, ${memory.after.toFixed()} MiB at the end`)

  for (const found of report.found) t.diagnostic(tellFound(found))
  await t.test('nothing was found', () => assert.equal(report.found.length, 0, 'the findings stand in the diagnostics'))
  await t.test('the log tells of no failure of ours', () => assert.deepEqual(tellLoggedErrors(service.output()), []))
  await t.test('every operation that the cast can reach was reached past the gate', () => {
    const unreached = [...report.asked]
      .filter(([, { reachable, past }]) => reachable && past === 0)
      .map(([name]) => name)
    if (requests >= 2000) assert.deepEqual(unreached, [])
  })
  await t.test('memory stayed flat', () => {
    if (requests >= 2000) assert.ok(memory.grown < mostGrownMiB, `it grew by ${memory.grown.toFixed(1)} MiB`)
  })
  await t.test('the service still serves, and stops when it is asked to', async () => {
    assert.equal((await ask('GET', '/health')).status, 200)
    assert.equal((await ask('GET', '/v1/tenants?limit=1', { key: operatorKey })).status, 200)
    assert.equal(await service.stop(), 0)
  })
})
