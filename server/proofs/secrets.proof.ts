// Marked secrets enter the running service at every place at which one can, and are then looked for in all that it leaves:
// its log, its data directory, its answers.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { type Business, openBusiness } from '../testkit/pretend-business.ts'
import { assemble } from './fuzz/cast.ts'
import { randomOf } from './fuzz/random.ts'
import { type Operation, readReference } from './rig/reference.ts'
import { type Answered, type Service, startService } from './rig/running-service.ts'
import { type Canary, needlesOf, searchFor } from './secrets/canary.ts'
import { type Driver, drive } from './secrets/drive.ts'
import { settingsPlanted, shownIn } from './secrets/plant.ts'

type Exchange = { readonly asked: string; readonly sent: string; readonly answer: string; readonly status: number }

const PATIENT = {
  'Account:MaxLiveKeys': '1000',
  // The endpoint of an example leads nowhere, and is not waited for.
  'ToolTransport:TimeoutSeconds': '2',
  'ToolTransport:MaxAttempts': '1',
  'RateLimit:ControlPerMinute': '1000000',
  'RateLimit:RuntimePerMinute': '1000000',
  'RateLimit:AnonymousPerMinute': '1000000',
}

const mostShown = 20
const directory = mkdtempSync(join(tmpdir(), 'tether-secrets-'))
const marker = `Marker-${randomBytes(12).toString('hex')}`
const planted = settingsPlanted()
const operatorKey = planted.settings['Operator:ApiKey'] ?? ''
/** By value, so that a secret that came back twice is one. */
const canaries = new Map(planted.canaries.map((canary) => [canary.value, canary]))
const exchanges: Exchange[] = []
const succeeded = new Set<string>()
let operations: readonly Operation[] = []
let service: Service
let business: Business
/** All bytes that the service had left behind: while it ran, and when it had stopped. */
const left: { readonly where: string; readonly bytes: Buffer }[] = []

const plant = (more: readonly Canary[]): void => {
  for (const canary of more) canaries.set(canary.value, canary)
}

before(async () => {
  const { settings } = planted
  business = await openBusiness()
  service = await startService({ directory, settings: { ...settings, ...PATIENT, 'Log:Level': 'debug' } })
  await driveEverything()
  gatherFiles('while it ran')
  assert.equal(await service.stop(), 0)
  gatherFiles('when it had stopped')
})
after(async () => {
  await service?.kill()
  await business?.close()
  rmSync(directory, { recursive: true, force: true })
})

async function send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answered> {
  const answer = await service.ask(method, path, { headers, ...(body === undefined ? {} : { raw: body }) })
  const shown = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const sent = JSON.stringify([method, path, headers, body])
  exchanges.push({
    asked: `${method} ${path.slice(0, 60)}`,
    sent,
    answer: `${shown}\n${answer.text}`,
    status: answer.status,
  })
  return answer
}

async function driveEverything(): Promise<void> {
  const reference = await readReference(service.port)
  operations = reference.operations
  const driver: Driver = { reference, random: randomOf(1, 1), send, planted: plant }
  const ask = (method: string, path: string, { key = '', body }: { key?: string; body?: unknown } = {}) =>
    send(method, path, { 'x-api-key': key, 'content-type': 'application/json' }, JSON.stringify(body))
  await ask('POST', '/v1/tenants', { key: operatorKey, body: { name: marker, email: `${marker}@shop.example` } })
  for (const operation of operations) {
    // Each has a workspace of its own: some of them end it.
    const { workspace } = (await assemble({ ask, operatorKey, endpoint: business.url, slots: 1 })).workspace(
      driver.random,
    )
    const issued = await ask('POST', '/v1/account/customer-token-key', { key: workspace.keys.secret ?? '' })
    const { customerTokenKey } = issued.body as { customerTokenKey: string }
    if (await drive(driver, operation, workspace, customerTokenKey))
      succeeded.add(`${operation.method} ${operation.path}`)
  }
  for (const { answer, asked } of exchanges) {
    plant(
      shownIn(answer)
        .filter((value) => !canaries.has(value))
        .map((value) => ({ name: `issued by ${asked}`, value })),
    )
  }
}

function gatherFiles(when: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) left.push({ where: `${path.slice(directory.length)} ${when}`, bytes: readFileSync(path) })
  }
}

test('every operation was driven, and all but a few with success', (t) => {
  const failed = operations.map(({ method, path }) => `${method} ${path}`).filter((name) => !succeeded.has(name))
  t.diagnostic(`${operations.length} operations, ${exchanges.length} requests, ${canaries.size} secrets`)
  t.diagnostic(`never a success: ${failed.join(', ')}`)
  assert.ok(failed.length < operations.length / 4, failed.join(', '))
})

test('the search finds what is there: a name, the hash of a key, the prefix of a key, a sealed secret', () => {
  const keys = [...canaries.values()].filter(({ name, value }) => name.startsWith('issued') && value.startsWith('tth_'))
  const key = keys[0]?.value ?? ''
  const hash = createHash('sha256').update(key).digest()
  for (const when of ['while it ran', 'when it had stopped']) {
    const files = left.filter(({ where }) => where.endsWith(when))
    for (const known of [Buffer.from(marker), hash, Buffer.from(key.slice(0, 12)), Buffer.from('enc:v1:')]) {
      assert.ok(
        files.some(({ bytes }) => bytes.includes(known)),
        `${when}: ${known.toString('latin1')}`,
      )
    }
  }
  const log = service.output()
  assert.ok(
    keys.some(({ value }) => log.includes(value.slice(0, 12))),
    'the log names keys by their prefix',
  )
  const answers = exchanges.map(({ answer }) => answer).join()
  assert.equal(searchFor(needlesOf({ name: '', value: key }))(Buffer.from(answers)).length, 1)
})

test('no secret is in the data directory', (t) => {
  const mebibytes = left.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1024 / 1024
  t.diagnostic(`${left.length} files, ${mebibytes.toFixed()} MiB`)
  assert.ok(!existsSync(join(directory, 'development-secrets')), 'every secret was given, so none had to be made')
  assert.deepEqual(findings(left), [])
})

test('no secret is in the log', () => {
  assert.deepEqual(findings([{ where: 'the log', bytes: Buffer.from(service.output()) }]), [])
})

test('no secret is in what the tool endpoint was sent', (t) => {
  t.diagnostic(`${business.calls.length} calls`)
  assert.ok(business.calls.length > 0)
  const sent = business.calls.map(({ order, rawHeaders, bytes }) => ({
    where: `call ${order}`,
    bytes: Buffer.concat([Buffer.from(rawHeaders.join('\n')), bytes]),
  }))
  assert.deepEqual(findings(sent), [])
})

test('no secret is in an answer, but for the one that issues it', () => {
  const issuing = new Map<string, Exchange>()
  const repeated: string[] = []
  for (const exchange of exchanges) {
    for (const value of shownIn(exchange.answer)) {
      const first = issuing.get(value)
      // The widget's key is publishable, stands on public pages, and is given again by the routes that give the snippet.
      const isWidgetKey = value.startsWith('tpk_') && exchange.asked.startsWith('POST /v1/embed')
      if ((first !== undefined && !isWidgetKey) || exchange.sent.includes(value))
        repeated.push(`${exchange.asked}: ${nameOf(value)}`)
      issuing.set(value, exchange)
    }
  }
  assert.deepEqual(repeated, [])
  const allButIssued = exchanges.map(({ asked, answer }) => {
    const blank = shownIn(answer).reduce((text, value) => text.replaceAll(value, ''), answer)
    return { where: asked, bytes: Buffer.from(blank) }
  })
  assert.deepEqual(findings(allButIssued), [])
})

const nameOf = (value: string): string => canaries.get(value)?.name ?? `${value.slice(0, 12)}…`

function findings(places: readonly { where: string; bytes: Buffer }[]): string[] {
  const search = searchFor([...canaries.values()].flatMap(needlesOf))
  const all = places.flatMap(({ where, bytes }) =>
    search(bytes).map(({ canary, form }) => `${where}: ${canary}, ${form}`),
  )
  return all.slice(0, mostShown)
}
