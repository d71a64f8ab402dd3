// A tenant may send what it likes, within the limits that we publish; nobody else waits for it. Each hostile request is sent beside
// an ordinary one of the same route and size, while another tenant asks for its own: it must not wait three times as long. Waits
// are counted in time of the service's own thread (hostile-tenant/clock.ts), so that a busy machine changes none of it.
//
//   npm run prove -- hostile-tenant                        every case
//   HOSTILE_CASE='a page' npm run prove -- hostile-tenant  those whose names hold these words
//   HOSTILE_ROUNDS=3 HOSTILE_UNNOTICED_MS=25 npm run prove -- hostile-tenant   the short form: each case measured twice, and up
//                                                          to 25 ms are no wait
//
// Another fault of the kind is another line in a file of hostile-tenant/cases.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { json } from './hostile-tenant/case.ts'
import { hostileCases } from './hostile-tenant/cases/index.ts'
import { compare, type Sides } from './hostile-tenant/compare.ts'
import { toldOf, tooLong } from './hostile-tenant/judge.ts'
import { lines } from './hostile-tenant/ordinary.ts'
import { openStage } from './hostile-tenant/stage.ts'
import { openVictim, type Waited } from './hostile-tenant/victim.ts'
import { type Line, openLine } from './hostile-tenant/wire.ts'
import { startService } from './rig/running-service.ts'

/** Beside an ordinary request of this size nobody complains; what waits less than beside it is no wait. */
const unnoticedBytes = 1_000_000
/** What must not get by, on a machine of any speed. */
const faultMs = ({ turnMs }: Waited): number => Math.max(60, 6 * turnMs)

/** What the process may hold in the end, whoever sent what: an idle one holds some 350 MiB, most of it the database. */
const mostBytes = 1_536 * 1024 * 1024

const wanted = process.env.HOSTILE_CASE ?? ''
const cases = hostileCases.filter(({ name }) => name.includes(wanted))

test('a hostile tenant', { timeout: 1_800_000 }, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'tether-hostile-tenant-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const operatorKey = `operator-${randomBytes(24).toString('hex')}`
  const service = await startService({
    directory,
    preload: join(import.meta.dirname, 'hostile-tenant/clock.ts'),
    settings: {
      'Operator:ApiKey': operatorKey,
      'RateLimit:ControlPerMinute': '1000000',
      'RateLimit:RuntimePerMinute': '1000000',
      'RateLimit:AnonymousPerMinute': '1000000',
      'RateLimit:FreePlanRequestsPerDay': '0',
      'Log:Level': 'warn',
    },
  })
  t.after(() => service.kill())
  const stage = await openStage(service, operatorKey)
  t.after(() => stage.close())
  const line = openLine(service.port)
  t.after(() => line.close())
  const victim = openVictim(line, (await stage.workspace()).apiKey, service.tell)
  const ordinary = { key: (await stage.workspace()).apiKey, method: 'POST', path: '/v1/tools/validate' } as const
  const shot = { ...ordinary, body: json(lines(unnoticedBytes)) }
  const { harmless: unnoticed } = await compare(line, victim, { hostile: () => shot, harmless: () => shot })
  t.diagnostic(`beside an ordinary megabyte: ${toldOf(unnoticed)}`)
  await t.test('a request that holds everybody up is caught', async (t) => {
    const holding = async (line: Line): Promise<number> => {
      const [status] = await Promise.all([line.send(shot), service.tell({ hold: faultMs(unnoticed) })])
      return status
    }
    const sides = await compare(line, victim, { hostile: () => holding, harmless: () => shot })
    t.diagnostic(tooLong(sides, unnoticed).join('; '))
    assert.notDeepEqual(tooLong(sides, unnoticed), [])
  })
  for (const { name, prepare, calm } of cases) {
    const allowed = calm === true ? { ...unnoticed, readMs: 0 } : unnoticed
    await t.test(name, async (t) => {
      const holds = (sides: Sides) => tooLong(sides, allowed).length === 0
      const { status, ...sides } = await compare(line, victim, await prepare(stage), holds)
      const bytes = service.residentBytes()
      t.diagnostic(
        `${toldOf(sides.hostile)}; beside a harmless one ${toldOf(sides.harmless)}; answered ${status}, ${mib(bytes)}`,
      )
      assert.ok(status > 0 && status < 500, `it was answered ${status}`)
      assert.ok(bytes <= mostBytes, `the process holds ${mib(bytes)}, and ${mib(mostBytes)} is the most`)
      assert.deepEqual(tooLong(sides, allowed), [])
    })
  }
  await t.test('the service still stands, and says nothing of a failure', async () => {
    assert.equal((await service.ask('GET', '/health')).status, 200)
    assert.doesNotMatch(service.output(), /failed on our side|"level":"error"/)
  })
})

const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`
