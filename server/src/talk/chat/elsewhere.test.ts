// Two instances on one database: a turn that one of them runs is read again, followed and stopped at the other.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { playedModel } from '../../../testkit/played-model.ts'
import { setBack } from '../../../testkit/set-back.ts'
import { DatabaseUnavailable, type Queries, statement } from '../../kernel/db/index.ts'
import { openMetrics } from '../../kernel/metrics/index.ts'
import { noFrames } from '../streams/live.ts'
import { askOfTurn, beatTurns, hearAsked, TO_STOP, TO_TELL_AT_ONCE, tellFrames } from '../streams/queries.ts'
import { openRunningTurns } from '../streams/running-turns.ts'
import { openTape } from '../streams/tape.ts'
import { readStream, until } from './fixtures/talk.ts'

const model = playedModel(['Hello.'])
let one: OpenHouse
let other: OpenHouse
let key: string
let tenantId: number
let url: string

before(async () => {
  one = await openHouse({ model, shared: true })
  other = await openHouse({ beside: one, model, shared: true })
  ;({ apiKey: key, tenantId } = await one.tenant())
  url = await one.app.server.listen({ host: '127.0.0.1', port: 0 })
})
after(async () => {
  await other.close()
  await one.close()
})

const keptRows = statement<{ n: number; data: string | null; over: boolean }, { tenantId: number; requestId: string }>(
  'test.kept_frames',
  `select n, data, over from turn_frames where tenant_id = $tenantId::int and request_id = $requestId::text order by n`,
)
const kept = (requestId: string) => one.database.database.rows(keptRows, { tenantId, requestId })

type Begun = { readonly requestId: string; readonly text: () => string; readonly left: Promise<void>; leave(): void }

/** Asks at the first instance and reads along until it leaves. */
async function begin(body: object, { headers = {}, at = url } = {}): Promise<Begun> {
  const control = new AbortController()
  const response = await fetch(`${at}/v1/chat/stream`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: control.signal,
  })
  let text = ''
  const read = async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
  }
  const left = read().catch(() => undefined)
  const requestId = response.headers.get('x-request-id') ?? ''
  return { requestId, text: () => text, left, leave: () => control.abort() }
}

const readAt = async (house: OpenHouse, requestId: string, { last = '', headers = {}, by = key } = {}) => {
  const reply = await house.ask('POST', '/v1/chat/stream', {
    key: by,
    body: { requestId },
    headers: last === '' ? headers : { ...headers, 'last-event-id': last },
  })
  return { ...reply, ...readStream(reply.text) }
}
const stopAt = (house: OpenHouse, requestId: string) =>
  house.ask('POST', '/v1/chat/stream', { key, body: { requestId, stop: true } })

test('a turn is read again at another instance: the same frames under the same numbers, from where a reader was', async () => {
  model.play(['One ', 'two ', 'three.'])
  const begun = await begin({ prompt: 'Count', resume: true })
  await begun.left
  const here = readStream(begun.text())
  assert.equal(here.frames.at(-1)?.type, 'complete')
  const there = await readAt(other, begun.requestId)
  assert.deepEqual([there.frames, there.ids], [here.frames, here.ids])
  const rest = await readAt(other, begun.requestId, { last: '2' })
  assert.deepEqual([rest.frames, rest.ids], [here.frames.slice(2), here.ids.slice(2)])
  const ahead = await readAt(other, begun.requestId, { last: '999999' })
  assert.deepEqual(ahead.frames, here.frames, 'nobody can have read what was never sent')
  assert.deepEqual((await stopAt(other, begun.requestId)).body, { stopped: false, requestId: begun.requestId })
})

test('while it runs it is followed and stopped at another instance, by a reader that comes at once', async () => {
  model.play(['One', 'hang'])
  const begun = await begin({ prompt: 'Count', resume: true })
  begun.leave()
  const at = await other.app.server.listen({ host: '127.0.0.1', port: 0 })
  const readers = [
    await begin({ requestId: begun.requestId }, { at }),
    await begin({ requestId: begun.requestId }, { at }),
  ]
  for (const reader of readers) await until(() => reader.text().includes('"One"'))
  assert.equal(model.playing, 1)
  assert.ok(
    (await kept(begun.requestId)).some(({ n }) => n === TO_TELL_AT_ONCE),
    'who reads it asks to be told at once',
  )
  assert.deepEqual((await stopAt(other, begun.requestId)).body, { stopped: true, requestId: begun.requestId })
  for (const reader of readers) {
    await reader.left
    const { frames, ids } = readStream(reader.text())
    assert.deepEqual(frames.at(-1), { type: 'error', code: 'CANCELED', message: 'The turn was stopped.' })
    assert.deepEqual(
      ids,
      ids.map((_, index) => index + 1),
    )
  }
  assert.equal(model.playing, 0)
})

test('a turn that ends with its reader is stopped from another instance, too, and is not read there', async () => {
  model.play(['One', 'hang'])
  const begun = await begin({ prompt: 'Count' })
  assert.equal((await readAt(other, begun.requestId)).error?.code, 'turn_not_found')
  const stopped = await other.ask('DELETE', `/v1/chat/turns/${begun.requestId}`, { key })
  assert.deepEqual(stopped.body, { stopped: true, requestId: begun.requestId })
  await begun.left
  assert.equal(readStream(begun.text()).frames.at(-1)?.type, 'error')
  await until(async () => (await kept(begun.requestId)).some(({ over }) => over))
  assert.equal((await stopAt(other, begun.requestId)).error?.code, 'turn_not_found')
  assert.deepEqual(
    (await kept(begun.requestId)).map(({ n, data }) => [n, data !== null]),
    [
      [-1, false],
      [0, true],
      [1, false],
    ],
    'of its frames nothing is kept',
  )
})

test('nobody else reads or stops a turn at another instance', async () => {
  model.play(['One', 'hang'])
  const { requestId } = await begin({ prompt: 'Count', resume: true })
  const stranger = await one.tenant('Somebody else')
  for (const by of [stranger.apiKey, await one.key(tenantId, 'agent')]) {
    assert.equal((await readAt(other, requestId, { by })).error?.code, 'turn_not_found')
    const stop = await other.ask('POST', '/v1/chat/stream', { key: by, body: { requestId, stop: true } })
    assert.equal(stop.error?.code, 'turn_not_found')
  }
  const asUser = await readAt(other, requestId, { headers: { 'x-service-user-id': '7' } })
  assert.equal(asUser.error?.code, 'turn_not_found')
  assert.equal(model.playing, 1)
  await stopAt(one, requestId)
})

test('what is kept for other instances is sealed', async () => {
  model.play(['The word is Rumpelstiltskin.'])
  const begun = await begin({ prompt: 'Say it', resume: true })
  await begun.left
  await until(async () => (await kept(begun.requestId)).some(({ over }) => over))
  const rows = await kept(begun.requestId)
  assert.ok(rows.length >= 2)
  for (const { data } of rows) assert.match(data ?? '', /^enc:v1:[\w:-]+$/)
})

test('nobody waits until the disk has what is told of turns, and everything else is waited for as before', async () => {
  const { database } = one.database
  const requestId = 'req_told'
  const turns = { tenants: [tenantId], tenantIds: [tenantId], requestIds: [requestId] }
  const told = { ...turns, ns: [0], data: '', over: [true], slotSeconds: 1_000 }
  for (const tell of [(db: Queries) => db.rows(tellFrames, told), (db: Queries) => db.rows(beatTurns, turns)]) {
    const settings: (string | undefined)[] = []
    await database.transaction(async (tx) => {
      await tell(tx)
      settings.push((await tx.one(readCommit))?.setting)
    })
    settings.push((await database.one(readCommit))?.setting)
    assert.deepEqual(settings, ['off', 'on'])
  }
  assert.equal((await kept(requestId)).length, 1)
})
const readCommit = statement<{ setting: string }>(
  'test.read_commit',
  `select current_setting('synchronous_commit') as setting`,
)

test('an instance that stops lets the readers of others’ turns go, who read on elsewhere', async () => {
  model.play(['One', 'hang'])
  const begun = await begin({ prompt: 'Count', resume: true })
  const third = await openHouse({ beside: one, model, shared: true })
  const reader = await begin(
    { requestId: begun.requestId },
    { at: await third.app.server.listen({ host: '127.0.0.1', port: 0 }) },
  )
  await until(() => reader.text().includes('"One"'))
  await third.close()
  await reader.left
  const read = readStream(reader.text())
  assert.equal(read.frames.at(-1)?.type, 'delta', 'its stream has no end yet')
  assert.equal(model.playing, 1, 'and the turn goes on')
  await stopAt(one, begun.requestId)
  const rest = await readAt(other, begun.requestId, { last: String(read.ids.at(-1)) })
  assert.deepEqual(
    rest.frames.map(({ type }) => type),
    ['error'],
  )
})

test('where the database has lost it, as after a crash, the instance that runs the turn tells it again', async () => {
  model.play(['One', 'hang'])
  const { requestId } = await begin({ prompt: 'Count', resume: true })
  await until(async () => (await kept(requestId)).length >= 2)
  await one.database.database.script('delete from turn_frames')
  await until(async () => (await kept(requestId)).length >= 2)
  await stopAt(other, requestId)
  const { frames } = await readAt(other, requestId)
  assert.deepEqual(
    frames.filter(({ type }) => type === 'start' || type === 'delta').map(({ type }) => type),
    ['start', 'delta'],
  )
  assert.equal(frames.at(-1)?.type, 'error')
})

test('a turn is told twice a second while nobody reads it elsewhere, and several times as often from then on', async () => {
  const { house } = one.app
  let tells = 0
  const rows: typeof house.db.rows = (asked, ...values) => {
    if (asked.name === tellFrames.name) tells++
    return house.db.rows(asked, ...values)
  }
  const tape = openTape({ ...house, db: { ...house.db, rows } })
  const frames = noFrames()
  const asked = { tenantId, requestId: 'req_22222222222222222222222222', caller: 'somebody' }
  const talking = setInterval(() => frames.all.push('{"type":"delta","text":"One"}'), 20)
  tape.record({ ...asked, head: { caller: asked.caller, isKept: true }, frames, stop: new AbortController() })
  await until(() => tells > 0)
  const toldSince = (from: number) => (performance.now() - from) / 500
  const [alone, first] = [performance.now(), tells]
  await until(() => tells >= first + 5)
  assert.ok(tells - first <= toldSince(alone) + 1, `${tells - first} times`)
  await tape.askToTell(asked)
  const [followed, before] = [performance.now(), tells]
  await until(() => tells - before > toldSince(followed) + 3)
  clearInterval(talking)
  frames.over = true
  await tape.close()
  assert.equal((await tape.find(asked))?.isRunning, false, 'and its end is told')
})

test('of a turn that is over before anybody is told of it, and that nobody may read again, nothing is written', async () => {
  const tape = openTape(one.app.house)
  const turn = (requestId: string, isKept: boolean) => {
    const frames = { ...noFrames(), over: true }
    const head = { caller: 'somebody', isKept }
    tape.record({ tenantId, requestId, head, frames, stop: new AbortController() })
  }
  turn('req_33333333333333333333333333', false)
  turn('req_44444444444444444444444444', true)
  await tape.close()
  assert.deepEqual(await kept('req_33333333333333333333333333'), [])
  assert.equal((await kept('req_44444444444444444444444444')).length, 2, 'its beginning and its end')
})

test('who has read more of a turn than was told before its instance was killed reads nothing of it twice', async () => {
  const house = one.app.house
  const asked = { tenantId, requestId: 'req_55555555555555555555555555', caller: 'somebody' }
  let dead = false
  const rows: typeof house.db.rows = (...asked) =>
    dead ? Promise.reject(new DatabaseUnavailable('The process was killed.')) : house.db.rows(...asked)
  const killed = openTape({ ...house, db: { ...house.db, rows } })
  const frames = noFrames()
  frames.all.push('{"type":"start"}', '{"type":"delta","text":"One"}')
  killed.record({ ...asked, head: { caller: asked.caller, isKept: true }, frames, stop: new AbortController() })
  await until(async () => (await kept(asked.requestId)).length === 2)
  dead = true
  await killed.close()
  const turns = openRunningTurns({ ...house, metrics: openMetrics() }, openTape(house, 50))
  const found: unknown[] = []
  const reading = (async () => {
    for await (const { data } of (await turns.read(asked, 4, AbortSignal.timeout(60_000))) ?? [])
      found.push(JSON.parse(data ?? '').code ?? data)
  })()
  // Its instance may only be slow, until it has not been heard of for long enough.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  assert.deepEqual(found, [])
  await one.database.database.script(
    `update turn_frames set ${setBack('at', '11 seconds')} where request_id = '${asked.requestId}' and n = 0`,
  )
  await reading
  assert.deepEqual(found, ['TURN_LOST'])
  await turns.close()
})

test('a turn whose instance is gone ends with an honest error, also for who has read all that there is', async () => {
  const house = one.app.house
  const caller = 'somebody'
  const [lost, requestId] = ['req_00000000000000000000000000', 'req_11111111111111111111111111']
  let dead = false
  const rows: typeof house.db.rows = (...asked) =>
    dead ? Promise.reject(new DatabaseUnavailable('The process was killed.')) : house.db.rows(...asked)
  const killed = openTape({ ...house, db: { ...house.db, rows } })
  const frames = noFrames()
  frames.all.push('{"type":"start"}', '{"type":"delta","text":"One"}')
  const stop = new AbortController()
  killed.record({ tenantId, requestId: lost, head: { caller, isKept: true }, frames, stop })
  await until(async () => (await kept(lost)).length === 2)
  dead = true
  await killed.close()
  await one.database.database.script(
    `update turn_frames set ${setBack('at', '11 seconds')} where request_id = '${lost}' and n = 0`,
  )
  const tape = openTape(house, 50)
  const turns = openRunningTurns({ ...house, metrics: openMetrics() }, tape)
  const asked = { tenantId, requestId: lost, caller }
  const read = async (after: number) => {
    const found: { id?: string | undefined; type: string; code?: string }[] = []
    const events = await turns.read(asked, after, new AbortController().signal)
    for await (const { id, data } of events ?? []) found.push({ id, ...JSON.parse(data ?? '') })
    return found.map(({ id, type, code }) => [id, code ?? type])
  }
  assert.deepEqual(await read(0), [
    ['1', 'start'],
    ['2', 'delta'],
    ['3', 'TURN_LOST'],
  ])
  assert.deepEqual(await read(2), [['3', 'TURN_LOST']])
  assert.equal(await turns.stop(asked), false, 'it does not run any longer')
  assert.equal(await turns.read({ ...asked, requestId }, 0, AbortSignal.timeout(60_000)), undefined)
  await turns.close()
})

test('a turn is forgotten when it can no longer be read, and its rows some minutes later', async () => {
  const { db } = one.app.house
  model.play(['Done.'])
  const begun = await begin({ prompt: 'Do', resume: true })
  await begun.left
  await until(async () => (await kept(begun.requestId)).some(({ over }) => over))
  const duty = one.app.duties.find(({ name }) => name === 'streams.forget')
  await duty?.work(new AbortController().signal)
  assert.ok((await kept(begun.requestId)).length > 0)
  const seconds = one.settings.ai.chat.resumeSeconds
  await db.script(`update turn_frames set ${setBack('at', `${seconds + 1} seconds`)}`)
  assert.equal((await readAt(other, begun.requestId)).error?.code, 'turn_not_found')
  await db.script(`update turn_frames set ${setBack('at', `${one.settings.ai.chat.turnSeconds} seconds`)}`)
  await duty?.work(new AbortController().signal)
  assert.deepEqual(await kept(begun.requestId), [])
})

test('a poll for requests to a turn returns those of the last seconds only', async () => {
  const { db } = one.app.house
  const tenant = await one.tenant()
  const requestId = 'req_polled'
  await db.run(askOfTurn, { tenantId: tenant.tenantId, requestId, n: TO_STOP, slotSeconds: 60 })
  const poll = () => db.rows(hearAsked, { tenants: [tenant.tenantId], seconds: 10 })
  assert.deepEqual(await poll(), [{ requestId, n: TO_STOP }])
  await db.script(`update turn_frames set ${setBack('at', '11 seconds')} where tenant_id = ${tenant.tenantId}`)
  assert.deepEqual(await poll(), [])
})
