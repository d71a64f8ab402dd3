import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freshDatabase } from '../../../testkit/database.ts'
import { verifyAudit } from '../../process/audit-verify.ts'
import { eventHash, GENESIS, lineOf } from './chain.ts'
import { chainCsv } from './chain-csv.ts'
import { appendEvent, eventFields } from './fixtures/trail.ts'
import { auditCsv, type Chained } from './index.ts'
import { listChain } from './list.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tether-audit-'))
after(() => rmSync(folder, { recursive: true }))
const script = fileURLToPath(new URL('../../../start.mjs', import.meta.url))

/** Ten events as the database linked them, five of them from before events named a person. */
let events: readonly Chained[] = []
before(async () => {
  await using fresh = { ...(await freshDatabase()), [Symbol.asyncDispose]: () => fresh.close() }
  const db = fresh.database
  for (let n = 1; n <= 10; n++)
    await appendEvent(
      db,
      1,
      eventFields({ reason: `№ ${n}, "ქვითარი"\n;=\u2028\u2029\u0085\r\f'`, personId: n <= 5 ? null : n }),
    )
  events = (await listChain({ db }, 1, {}, { after: 0, limit: 100 })).events
})

const fileOf = (name: string, chain: readonly Chained[]): string =>
  write(name, chain.map((event) => `${lineOf(event)}\n`).join(''))
function write(name: string, text: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}
async function verify(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []]
  const into = (lines: string[]) => (line: string) => void lines.push(`${line}\n`)
  const code = await verifyAudit(args, { say: into(out), complain: into(err) })
  return { code, out: out.join(''), err: err.join('') }
}
const [first, last] = [(chain: readonly Chained[]) => chain[0], (chain: readonly Chained[]) => chain.at(-1)]

test('the command writes the result to its output, an error to the other, and ends with the exit code', () => {
  const run = (file: string) => spawnSync(process.execPath, [script, 'audit-verify', file], { encoding: 'utf8' })
  const whole = run(fileOf('command.ndjson', events))
  assert.deepEqual([whole.status, whole.stderr], [0, ''])
  assert.match(whole.stdout, /^The chain holds: 10 events, 1 to 10\./)
  const broken = run(fileOf('command-gap.ndjson', events.toSpliced(4, 1)))
  assert.deepEqual([broken.status, broken.stdout], [1, ''])
  assert.match(broken.stderr, /^The chain is broken\. Event 5 is not there/)
  assert.equal(run(path.join(folder, 'absent.ndjson')).status, 2)
})

test('a whole export holds, and says what to keep of it', async () => {
  const { code, out, err } = await verify(fileOf('whole.ndjson', events))
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /The chain holds: 10 events, 1 to 10\./)
  assert.ok(out.includes(`--holds 10:${last(events)?.hash}`))
})

test('files that follow each other are one trail, in their order only', async () => {
  const [one, other] = [fileOf('1.ndjson', events.slice(0, 4)), fileOf('2.ndjson', events.slice(4))]
  assert.equal((await verify(one, other)).code, 0)
  const { code, err } = await verify(other, one)
  assert.equal(code, 1)
  assert.match(err, /^The chain is broken\. Event 1 stands after a later one\. \(.*1\.ndjson, line 1\)/)
  const gap = await verify(one, fileOf('3.ndjson', events.slice(5)))
  assert.match(gap.err, /Event 5 is not there\. \(.*3\.ndjson, line 1\)/)
  assert.equal(gap.code, 1)
})

test('a part of a trail says what must have stood before it', async () => {
  const { code, out } = await verify(fileOf('part.ndjson', events.slice(4)))
  assert.equal(code, 0)
  assert.ok(out.includes(`It begins after event 4, whose hash must be ${events[3]?.hash}`))
})

test('it is said whose trail it is, and another workspace’s does not pass for its end', async () => {
  assert.match((await verify(fileOf('own.ndjson', events))).out, /^The chain holds: .* It is of workspace 1\.$/m)
  const before = last(events) as Chained
  const theirs = { ...before, tenantId: 2, id: before.id + 1, previousHash: before.hash }
  const forged = { ...theirs, hash: eventHash(before.hash, theirs) }
  const { code, err } = await verify(fileOf('mixed.ndjson', [...events, forged]))
  assert.equal(code, 1)
  assert.match(err, /Event 11 is of workspace 2, and those before it of workspace 1\. \(.*mixed\.ndjson, line 11\)/)
})

test('what was changed is named with its place', async () => {
  const cases: [name: string, chain: readonly Chained[], message: RegExp][] = [
    [
      'reason',
      events.with(4, { ...(events[4] as Chained), reason: 'another' }),
      /Event 5 is not what its hash.*line 5/,
    ],
    ['gone', events.toSpliced(4, 1), /Event 5 is not there.*line 5/],
    ['twice', events.toSpliced(4, 0, events[3] as Chained), /Event 4 stands after.*line 5/],
    [
      'another start',
      events.with(0, { ...(first(events) as Chained), previousHash: 'f'.repeat(64) }),
      /Event 1 is not what/,
    ],
  ]
  for (const [name, chain, message] of cases) {
    const { code, err, out } = await verify(fileOf(`${name}.ndjson`, chain))
    assert.deepEqual([code, out], [1, ''], name)
    assert.match(err, message)
  }
})

test('a line that no export holds is refused, even if its event would do', async () => {
  const lines = events.map(lineOf)
  const hidden = (lines[2] ?? '').replace('{', '{"reason":"what a reader sees",')
  const { code, err } = await verify(write('hidden.ndjson', lines.with(2, hidden).join('\n')))
  assert.equal(code, 1)
  assert.match(err, /line 3 is not an event as an export writes it/)
  assert.equal(
    (await verify(write('windows.ndjson', `${lines.join('\r\n')}\r\n`))).code,
    0,
    'line ends of another system are fine',
  )
})

test('what a forged file begins after is a hash or nothing, and reaches no terminal', async () => {
  const forge = (more: object) => {
    const event = { ...(events[4] as Chained), ...more }
    return [{ ...event, hash: eventHash(event.previousHash, event) }]
  }
  for (const [at, more] of [{ previousHash: '\u001b]0;owned\u0007' }, { tenantId: '\u001b[2J' }].entries())
    for (const file of [fileOf(`escape${at}.ndjson`, forge(more)), write(`escape${at}.csv`, chainCsv(forge(more)))]) {
      const { code, out, err } = await verify(file)
      assert.deepEqual([code, out, err.includes('\u001b')], [1, '', false], file)
      assert.match(err, /is not an event as an export writes it/)
    }
})

test('a trail that was written anew does not pass by what was kept of the old one', async () => {
  let hash = GENESIS.hash
  const anew = events.map((event) => {
    const forged = { ...event, reason: event.id === 5 ? 'forged' : event.reason, previousHash: hash }
    hash = eventHash(hash, forged)
    return { ...forged, hash }
  })
  const [old, file] = [fileOf('old.ndjson', events), fileOf('anew.ndjson', anew)]
  const keep = (id: number) => `${id}:${events[id - 1]?.hash}`
  assert.equal((await verify(file)).code, 0, 'by itself it holds: that is why something is kept')
  assert.equal((await verify(old, '--holds', keep(4), '--holds', keep(10))).code, 0)
  const tail = fileOf('tail.ndjson', events.slice(4))
  assert.equal(
    (await verify(tail, '--holds', keep(4))).code,
    0,
    'what a file begins after is held against what was kept',
  )
  assert.match(
    (await verify(fileOf('anew-tail.ndjson', anew.slice(5)), '--holds', keep(5))).err,
    /Event 5 has another hash/,
  )
  const caught = await verify(file, '--holds', keep(4), '--holds', keep(10))
  assert.equal(caught.code, 1)
  assert.match(caught.err, /Event 10 has another hash than the one you kept/)
  const short = await verify(fileOf('short.ndjson', events.slice(0, 8)), '--holds', keep(10))
  assert.equal(short.code, 1)
  assert.match(short.err, /Event 10, which you kept, is not in these files: they hold 1 to 8/)
})

test('an export as CSV is checked to the byte, whatever its texts hold', async () => {
  const text = chainCsv(events)
  const whole = await verify(write('whole.csv', text))
  assert.deepEqual([whole.code, whole.err], [0, ''])
  assert.ok(whole.out.includes(`--holds 10:${last(events)?.hash}`))
  const pages = chainCsv(events.slice(0, 4)) + chainCsv(events.slice(4))
  assert.equal((await verify(write('pages.csv', pages))).code, 0)
  assert.equal((await verify(write('part.csv', chainCsv(events.slice(4))), '--holds', `4:${events[3]?.hash}`)).code, 0)
  const other = await verify(write('other.csv', text.replace('№ 5', '№ 6')))
  assert.match(other.err, /^The chain is broken\. Event 5 is not what its hash was made over/)
  const gone = await verify(write('gone.csv', chainCsv(events.toSpliced(4, 1))))
  assert.match(gone.err, /Event 5 is not there/)
  const spelt = [
    text.replace('refund_order', '"refund_order"'),
    text.replace('№ 3, ', `№ 3, '`),
    text.slice(0, -80),
    text.replace(/\r\n$/, ',\r\n'),
  ]
  for (const [at, one] of spelt.entries())
    assert.equal((await verify(write(`spelt-${at}.csv`, one))).code, 1, String(at))
})

/** As the version before events named a person wrote it. */
const FORMER = {
  header:
    'tenant_id,id,occurred_at,action_id,tool,event,user_id,source,payload_hash,subject,scope_id,reason,previous_hash,hash',
  actionId: '0199d3a0-0000-7000-8000-000000000001',
  previousHash: '0'.repeat(64),
  hash: '4bc0f6feccf6c7777beaa157ae586e0a2373588b516d94a7fae58948f547bd33',
}

test('an export from before events named a person is read, and a later one follows it', async () => {
  const { header, actionId, previousHash, hash } = FORMER
  const at = '2026-11-20T09:30:00.120Z'
  const cells = ['1,1', at, actionId, 'refund_order,proposed,0,POST /v1/actions,aa,,,', previousHash, hash].join()
  const members = `"tenantId":1,"id":1,"occurredAt":"${at}","actionId":"${actionId}","tool":"refund_order","event":"proposed","userId":0`
  const more = `"source":"POST /v1/actions","payloadHash":"aa","subject":null,"scopeId":null,"reason":null`
  const line = `{${members},${more},"previousHash":"${previousHash}","hash":"${hash}"}`
  const csv = write('former.csv', `${header}\r\n${cells}\r\n`)
  const json = write('former.ndjson', `${line}\n`)
  const next = {
    ...eventFields({ event: 'approved', userId: 7, personId: 12 }),
    tenantId: 1,
    id: 2,
    occurredAt: at,
    previousHash: hash,
  }
  const later = [{ ...next, hash: eventHash(hash, next) }]
  for (const file of [csv, json]) {
    assert.deepEqual([(await verify(file)).code, (await verify(file)).err], [0, ''], file)
    assert.equal((await verify(file, fileOf('later.ndjson', later))).code, 0, file)
    assert.equal((await verify(file, write('later.csv', chainCsv(later)))).code, 0, file)
  }
  const renamed = [{ ...next, hash: later[0]?.hash ?? '', personId: 13 }]
  assert.match(
    (await verify(json, fileOf('renamed.ndjson', renamed))).err,
    /Event 2 is not what its hash was made over/,
  )
  const moved = write('moved.csv', `${chainCsv([]).trimEnd()}\r\n${cells}\r\n`)
  assert.match((await verify(moved)).err, /line 2 is not an event as an export writes it/)
})

test('the list as CSV has no hashes, and that is said instead of a broken chain', async () => {
  const rows = events.map((event) => ({ ...event, occurredAt: new Date(event.occurredAt) }))
  const { code, err } = await verify(write('list.csv', auditCsv(rows as unknown as Parameters<typeof auditCsv>[0])))
  assert.equal(code, 2)
  assert.match(err, /list\.csv has no hashes\. Take the file from GET \/v1\/audit\/export/)
})

test('what cannot be checked is not called broken', async () => {
  for (const args of [[], [path.join(folder, 'absent.ndjson')], [folder], [write('empty.ndjson', '\n')]]) {
    assert.equal((await verify(...args)).code, 2, args.join(' '))
  }
  const whole = fileOf('whole.ndjson', events)
  for (const kept of ['10', '10:abc', `x:${'0'.repeat(64)}`])
    assert.equal((await verify(whole, '--holds', kept)).code, 2, kept)
  assert.equal((await verify(whole, '--unknown')).code, 2)
})
