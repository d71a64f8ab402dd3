// A tenant may send what it likes, within the limits that we publish; nobody else waits for it. Each hostile request is sent beside
// an ordinary one of the same route and size, while another tenant asks for its own: it must not wait three times as long.
//
//   npm run prove -- hostile-tenant                        every case
//   HOSTILE_CASE='a page' npm run prove -- hostile-tenant  those whose names hold these words
//   HOSTILE_ROUNDS=3 HOSTILE_UNNOTICED_MS=50 npm run prove -- hostile-tenant
//                                                          the short form: each case measured twice, and a wait that nobody notices is none
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
import { compare } from './hostile-tenant/compare.ts'
import { lines } from './hostile-tenant/ordinary.ts'
import { openStage } from './hostile-tenant/stage.ts'
import { openVictim, type Waited } from './hostile-tenant/victim.ts'
import { openLine } from './hostile-tenant/wire.ts'
import { startService } from './rig/running-service.ts'

const mostTimes = 3
/** Beside an ordinary request of this size nobody complains; what waits less than beside it is no wait. */
const unnoticedBytes = 1_000_000
/** Milliseconds differ threefold by themselves on a machine that others use as well; what holds up a process does so for longer. */
const unnoticedMs = Number(process.env.HOSTILE_UNNOTICED_MS ?? 0)

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
    settings: {
      'Operator:ApiKey': operatorKey,
      'RateLimit:ControlPerMinute': '1000000',
      'RateLimit:RuntimePerMinute': '1000000',
      'RateLimit:FreePlanRequestsPerDay': '0',
      'Log:Level': 'warn',
    },
  })
  t.after(() => service.kill())
  const stage = await openStage(service, operatorKey)
  t.after(() => stage.close())
  const line = openLine(service.port)
  t.after(() => line.close())
  const victim = openVictim(line, (await stage.workspace()).apiKey)
  const ordinary = { key: (await stage.workspace()).apiKey, method: 'POST', path: '/v1/tools/validate' } as const
  const body = json(lines(unnoticedBytes))
  const { harmless: unnoticed } = await compare(line, victim, {
    hostile: () => ({ ...ordinary, body }),
    harmless: () => ({ ...ordinary, body }),
  })
  t.diagnostic(`beside an ordinary megabyte: health ${ms(unnoticed.healthMs)}, a read ${ms(unnoticed.readMs)}`)
  for (const { name, prepare } of cases) {
    await t.test(name, async (t) => {
      const kinds = ['healthMs', 'readMs'] as const
      const most = (beside: Waited, kind: (typeof kinds)[number]) =>
        Math.max(unnoticedMs, mostTimes * Math.max(beside[kind], unnoticed[kind]))
      const { hostile, harmless, status } = await compare(line, victim, await prepare(stage), (sides) =>
        kinds.every((kind) => sides.hostile[kind] <= most(sides.harmless, kind)),
      )
      const bytes = service.residentBytes()
      t.diagnostic(
        `answered ${status}; health ${ms(hostile.healthMs)} beside it and ${ms(harmless.healthMs)} beside an ordinary one, a read ${ms(hostile.readMs)} and ${ms(harmless.readMs)}; the process holds ${mib(bytes)}`,
      )
      assert.ok(status > 0 && status < 500, `it was answered ${status}`)
      assert.ok(bytes <= mostBytes, `the process holds ${mib(bytes)}, and ${mib(mostBytes)} is the most`)
      for (const kind of kinds) {
        const bound = most(harmless, kind)
        assert.ok(hostile[kind] <= bound, `the victim waited ${ms(hostile[kind])}, and ${ms(bound)} is the most`)
      }
    })
  }
  await t.test('the service still stands, and says nothing of a failure', async () => {
    assert.equal((await service.ask('GET', '/health')).status, 200)
    assert.doesNotMatch(service.output(), /failed on our side|"level":"error"/)
  })
})

const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`
const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`
