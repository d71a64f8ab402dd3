import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Lexicon } from '@tether/contract'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { setBack } from '../../../testkit/set-back.ts'
import { unlisted } from '../../kernel/db/index.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse()
})
after(() => house.close())

type Pack = { version: number; lexicon: Lexicon; updatedAt: string | null }
type Suggestion = {
  id: string
  status: string
  lexicon: Lexicon
  source: unknown
  note: string | null
  createdAt: string
  decidedAt: string | null
}
type Page = { suggestions: Suggestion[]; count: number; nextBefore: string | null }
type Accepted = { suggestion: Suggestion; domainPack: Pack }

const PACK = '/v1/domain-pack'
const SUGGESTIONS = '/v1/domain-pack/suggestions'
const at = (path: string) => ({ kind: 'repository', commit: '0f3a9be', path, dirty: false })
const codeOf = ({ status, error }: { status: number; error: { code: string } | undefined }) =>
  `${status} ${error?.code}`

const put = ({ apiKey: key }: NewTenant, body: unknown) => house.ask<Pack>('PUT', PACK, { key, body })
const read = async ({ apiKey: key }: NewTenant) => (await house.ask<Pack>('GET', PACK, { key })).body
const propose = (key: string, body: unknown) => house.ask<Suggestion>('POST', SUGGESTIONS, { key, body })
const listed = async ({ apiKey: key }: NewTenant, query = '') =>
  (await house.ask<Page>('GET', `${SUGGESTIONS}${query}`, { key })).body
const accept = ({ apiKey: key }: NewTenant, id: string, body?: unknown) =>
  house.ask<Accepted>('POST', `${SUGGESTIONS}/${id}/accept`, { key, ...(body === undefined ? {} : { body }) })
const dismiss = ({ apiKey: key }: NewTenant, id: string) =>
  house.ask<{ suggestion: Suggestion }>('POST', `${SUGGESTIONS}/${id}/dismiss`, { key })

test('a pack that was never set is version 0 and empty; each change is a version', async () => {
  const shop = await house.tenant()
  assert.deepEqual(await read(shop), { version: 0, lexicon: {}, updatedAt: null })
  const lexicon = { returns: [' refund ', 'Money back', 'REFUND', 'დაბრუნება'], constructor: ['builder'] }
  const first = await put(shop, { lexicon })
  assert.equal(first.status, 200)
  const folded = { returns: ['refund', 'Money back', 'დაბრუნება'], constructor: ['builder'] }
  assert.deepEqual([first.body.version, first.body.lexicon], [1, folded])
  assert.deepEqual(await read(shop), first.body)
  assert.ok(Math.abs(Date.parse(first.body.updatedAt ?? '') - Date.now()) < 60_000)
  assert.deepEqual((await put(shop, { lexicon })).body.version, 2)
  const cleared = (await put(shop, { lexicon: {} })).body
  assert.deepEqual([cleared.version, cleared.lexicon], [3, {}])
  assert.notEqual(cleared.updatedAt, null)
})

const numbered = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}${index}`)
const domains = (count: number) => Object.fromEntries(numbered(count, 'd').map((domain) => [domain, ['word']]))

test('what is no lexicon is refused on both routes, and changes nothing', async () => {
  const shop = await house.tenant()
  const wrong: unknown[] = [
    undefined,
    null,
    {},
    [],
    { lexicon: null },
    { lexicon: 'returns' },
    { lexicon: ['returns'] },
    { lexicon: domains(41) },
    ...[[], null, 'refund', {}, numbered(201, 'w'), Array(201).fill('w')].map((returns) => ({ lexicon: { returns } })),
    ...['', '  ', 7, null, 'x'.repeat(61), 'a\nb'].map((word) => ({
      lexicon: { returns: ['refund', word] },
    })),
    ...['Returns', '1st', '', 'a b', 'დომენი', 'a-b', '_a', 'x'.repeat(65)].map((domain) => ({
      lexicon: { [domain]: ['word'] },
    })),
  ]
  for (const body of wrong) {
    for (const reply of [await put(shop, body), await propose(shop.apiKey, body)]) {
      assert.equal(codeOf(reply), '400 invalid_suggestion', JSON.stringify(body))
    }
  }
  assert.equal(codeOf(await propose(shop.apiKey, { lexicon: {} })), '400 invalid_suggestion')
  assert.deepEqual([(await read(shop)).version, (await listed(shop, '?status=all')).count], [0, 0])
  const largest = { ...domains(39), [`x${'y'.repeat(63)}`]: numbered(199, 'w').concat('🧾'.repeat(60)) }
  assert.equal((await put(shop, { lexicon: largest })).status, 200)
  assert.equal((await propose(shop.apiKey, { lexicon: largest })).status, 200)
})

test('a lexicon fits in a body with as many words as it may have, each as long as it may be, in Georgian', async () => {
  const shop = await house.tenant()
  const words = numbered(200, '').map((number) => 'ა'.repeat(60 - number.length) + number)
  const lexicon = Object.fromEntries(numbered(40, 'd').map((domain) => [domain, words]))
  assert.deepEqual((await put(shop, { lexicon })).body.lexicon, lexicon)
  const { body, status } = await propose(shop.apiKey, { lexicon })
  assert.deepEqual([status, body.lexicon], [200, lexicon])
  assert.deepEqual((await accept(shop, body.id, { mode: 'replace' })).body.domainPack.lexicon, lexicon)
})

test('a suggestion waits, is accepted into the pack once, and says what became of it', async () => {
  const shop = await house.tenant()
  await put(shop, { lexicon: { returns: ['Refund'], delivery: ['courier'] } })
  const source = at('docs/words.json')
  const lexicon = { returns: ['refund', 'money back'], billing: ['invoice'] }
  const made = (await propose(shop.apiKey, { lexicon, source: { ...source, more: 1 }, note: 'From support.' })).body
  assert.match(made.id, /^sug_/)
  assert.deepEqual(
    { ...made, id: '', createdAt: '' },
    { id: '', status: 'pending', lexicon, source, note: 'From support.', createdAt: '', decidedAt: null },
  )
  assert.deepEqual(await listed(shop), { suggestions: [made], count: 1, nextBefore: null })
  assert.equal((await read(shop)).version, 1)
  const { status, body } = await accept(shop, made.id)
  assert.equal(status, 200)
  assert.deepEqual(body.domainPack.lexicon, {
    returns: ['Refund', 'money back'],
    delivery: ['courier'],
    billing: ['invoice'],
  })
  assert.deepEqual(await read(shop), body.domainPack)
  assert.deepEqual(body.suggestion, { ...made, status: 'accepted', decidedAt: body.suggestion.decidedAt })
  assert.ok(Math.abs(Date.parse(body.suggestion.decidedAt ?? '') - Date.now()) < 60_000)
  for (const reply of [await accept(shop, made.id), await dismiss(shop, made.id)]) {
    assert.equal(codeOf(reply), '409 suggestion_not_pending')
  }
  assert.equal((await read(shop)).version, 2)
  const other = (await propose(shop.apiKey, { lexicon: { garage: ['parking'] } })).body
  assert.deepEqual((await accept(shop, other.id, { mode: 'replace' })).body.domainPack.lexicon, { garage: ['parking'] })
})

test('a suggestion that is dismissed changes nothing, and unknown ones and those of others are not found', async () => {
  const [shop, stranger] = [await house.tenant(), await house.tenant()]
  const made = (await propose(shop.apiKey, { lexicon: { returns: ['refund'] } })).body
  for (const id of [made.id, 'sug_unknown', '1', '%F0%9F%A7%BE']) {
    for (const reply of [await accept(stranger, id), await dismiss(stranger, id)]) {
      assert.equal(codeOf(reply), '404 suggestion_not_found', id)
    }
  }
  assert.equal((await listed(stranger, '?status=all')).count, 0)
  const { suggestion } = (await dismiss(shop, made.id)).body
  assert.deepEqual(suggestion, { ...made, status: 'dismissed', decidedAt: suggestion.decidedAt })
  assert.equal(codeOf(await accept(shop, made.id)), '409 suggestion_not_pending')
  assert.equal((await read(shop)).version, 0)
  assert.equal((await accept(shop, made.id, { mode: 'both' })).error?.code, 'invalid_request')
})

test('a newer suggestion of the same source supersedes the one that waits; without a source, of the same key', async () => {
  const shop = await house.tenant()
  const [one, two] = [await house.key(shop.tenantId, 'ci'), await house.key(shop.tenantId, 'ci_replace')]
  const lexicon = { returns: ['refund'] }
  const secondKey = await house.key(shop.tenantId, 'secret')
  const made = []
  for (const [key, source] of [
    [one, at('a.json')],
    [one, at('b.json')],
    [two, { ...at('a.json'), commit: '1'.repeat(40), dirty: true }],
    [shop.apiKey, undefined],
    [secondKey, undefined],
    [shop.apiKey, undefined],
  ] as const) {
    made.push((await propose(key, { lexicon, ...(source === undefined ? {} : { source }) })).body.id)
  }
  const [firstA, b, a, firstOwn, ofSecond, own] = made
  const idsOf = async (query: string) => (await listed(shop, query)).suggestions.map(({ id }) => id)
  assert.deepEqual(await idsOf(''), [own, ofSecond, a, b])
  assert.deepEqual(await idsOf('?status=superseded'), [firstOwn, firstA])
  assert.deepEqual(await idsOf('?status=all'), made.toReversed())
  assert.ok((await listed(shop, '?status=superseded')).suggestions.every(({ decidedAt }) => decidedAt !== null))
  assert.equal(codeOf(await accept(shop, firstA ?? '')), '409 suggestion_not_pending')
  await accept(shop, a ?? '')
  // One that was decided is not superseded any longer.
  await propose(one, { lexicon, source: at('a.json') })
  assert.deepEqual(await idsOf('?status=accepted'), [a])
  assert.equal(codeOf(await house.ask('GET', `${SUGGESTIONS}?status=open`, { key: shop.apiKey })), '400 invalid_status')
})

test('a source or a note of a wrong form is refused with the name of the member', async () => {
  const { apiKey } = await house.tenant()
  const lexicon = { returns: ['refund'] }
  for (const [source, named] of [
    ['main', 'source'],
    [{ ...at('a.json'), commit: 'main' }, 'source.commit'],
    [at('../a.json'), 'source.path'],
    [{ ...at('a.json'), dirty: 'no' }, 'source.dirty'],
    [{ ...at('a.json'), kind: 'upload' }, 'source.kind'],
  ] as const) {
    const reply = await propose(apiKey, { lexicon, source })
    assert.equal(codeOf(reply), '400 invalid_source')
    assert.match(reply.error?.message ?? '', RegExp(`\`${named}\``))
  }
  for (const note of [7, 'x'.repeat(501)]) {
    const reply = await propose(apiKey, { lexicon, note })
    assert.equal(codeOf(reply), '400 invalid_request')
    assert.match(reply.error?.message ?? '', /`note`/)
  }
  assert.equal((await propose(apiKey, { lexicon, source: null, note: null })).status, 200)
})

test('a merge that would pass the limits is refused and leaves the suggestion pending', async () => {
  const shop = await house.tenant()
  await put(shop, { lexicon: { ...domains(39), returns: numbered(150, 'w') } })
  const large = (await propose(shop.apiKey, { lexicon: { returns: numbered(51, 'v') }, source: at('a') })).body
  const wide = (await propose(shop.apiKey, { lexicon: { other: ['word'] }, source: at('b') })).body
  for (const { id } of [large, wide]) {
    assert.equal(codeOf(await accept(shop, id)), '400 invalid_suggestion')
  }
  assert.deepEqual([(await listed(shop)).count, (await read(shop)).version], [2, 1])
  const within = (await propose(shop.apiKey, { lexicon: { returns: numbered(50, 'v').concat('W0') } })).body
  assert.equal((await accept(shop, within.id)).body.domainPack.lexicon.returns?.length, 200)
  assert.equal((await accept(shop, wide.id, { mode: 'replace' })).status, 200)
})

test('a page of suggestions ends at its limit or at 4 MiB, and the next one goes on there', async () => {
  const shop = await house.tenant()
  const lexicon = Object.fromEntries(numbered(25, 'd').map((domain) => [domain, numbered(200, 'ა'.repeat(55))]))
  for (const path of numbered(6, 'p')) await propose(shop.apiKey, { lexicon, source: at(path) })
  const first = await listed(shop)
  assert.ok(first.count >= 4 && first.count < 6, `${first.count}`)
  const rest = await listed(shop, `?before=${first.nextBefore}`)
  assert.deepEqual([first.count + rest.count, rest.nextBefore], [6, null])
  const seen = [...first.suggestions, ...rest.suggestions].map(({ id }) => id)
  assert.equal(new Set(seen).size, 6)
  const two = await listed(shop, '?limit=2')
  assert.deepEqual([two.count, two.nextBefore], [2, seen[1]])
  assert.deepEqual((await listed(shop, `?before=${seen[5]}`)).suggestions, [])
  const reply = await house.ask('GET', `${SUGGESTIONS}?before=sug_unknown`, { key: shop.apiKey })
  assert.equal(codeOf(reply), '400 invalid_request')
})

const countWords = unlisted<{ kept: number; all: number }, { tenantId: number }>(
  'test.count_packs',
  `select count(lexicon)::int as kept, count(*)::int as all from domain_packs where tenant_id = $tenantId::int`,
)
const fillPending = unlisted<unknown, { tenantId: number; many: number }>(
  'test.fill_pending',
  `insert into domain_suggestions (tenant_id, suggestion_id, status, lexicon, origin)
   select $tenantId::int, 'sug_' || n, 'pending', '{"returns":["refund"]}', 'path ' || n from generate_series(1, $many::int) n`,
)
const age = unlisted<unknown, { tenantId: number; id: string }>(
  'test.age_suggestion',
  `update domain_suggestions set ${setBack('decided_at', '91 days')}
    where tenant_id = $tenantId::int and suggestion_id = $id::text`,
)

test('the words of the newest versions are kept, and of every version that it was there', async () => {
  const shop = await house.tenant()
  for (let version = 1; version <= 53; version++) await put(shop, { lexicon: { d: [`w${version}`] } })
  const { tenantId } = shop
  assert.deepEqual(await house.database.database.one(countWords, { tenantId }), { kept: 50, all: 53 })
  assert.deepEqual((await read(shop)).lexicon, { d: ['w53'] })
})

test('two hundred suggestions wait at most; one of a source that waits takes its place', async () => {
  const shop = await house.tenant()
  await house.database.database.run(fillPending, { tenantId: shop.tenantId, many: 200 })
  const lexicon = { returns: ['refund'] }
  const reply = await propose(shop.apiKey, { lexicon, source: at('new') })
  assert.deepEqual([codeOf(reply), reply.error?.reason], ['429 rate_limited', 'pending_suggestions'])
  assert.ok(Number(reply.headers['retry-after']) > 0)
  assert.equal((await propose(shop.apiKey, { lexicon, source: at('7') })).status, 200)
  assert.equal((await listed(shop)).count, 200)
  // A decided suggestion takes no place.
  await dismiss(shop, (await listed(shop)).suggestions[0]?.id ?? '')
  assert.equal((await propose(shop.apiKey, { lexicon, source: at('new') })).status, 200)
})

test('a suggestion is forgotten three months after it was decided, and never while it waits', async () => {
  const shop = await house.tenant()
  const lexicon = { returns: ['refund'] }
  const old = (await propose(shop.apiKey, { lexicon, source: at('old') })).body.id
  const fresh = (await propose(shop.apiKey, { lexicon, source: at('fresh') })).body.id
  const waiting = (await propose(shop.apiKey, { lexicon, source: at('waiting') })).body.id
  await dismiss(shop, old)
  await dismiss(shop, fresh)
  for (const id of [old, waiting]) await house.database.database.run(age, { tenantId: shop.tenantId, id })
  const duty = house.app.duties.find(({ name }) => name === 'vocabulary.forget')
  assert.equal(await duty?.work(AbortSignal.timeout(10_000)), 1)
  assert.deepEqual(
    (await listed(shop, '?status=all')).suggestions.map(({ id }) => id),
    [waiting, fresh],
  )
})

test('a CI key suggests with a source and reads the pack, and decides nothing', async () => {
  const { tenantId } = await house.tenant()
  const key = await house.key(tenantId, 'ci')
  const lexicon = { returns: ['refund'] }
  assert.equal((await house.ask('GET', PACK, { key })).status, 200)
  const made = await propose(key, { lexicon, source: at('words.json') })
  assert.equal(made.status, 200)
  const bare = await propose(key, { lexicon })
  assert.deepEqual([codeOf(bare), bare.error?.reason], ['403 insufficient_scope', 'ci_source_required'])
  for (const [method, path] of [
    ['PUT', PACK],
    ['GET', SUGGESTIONS],
    ['POST', `${SUGGESTIONS}/${made.body.id}/accept`],
    ['POST', `${SUGGESTIONS}/${made.body.id}/dismiss`],
  ] as const) {
    const { error } = await house.ask(method, path, { key, ...(method === 'PUT' ? { body: { lexicon } } : {}) })
    assert.deepEqual([error?.code, error?.reason], ['insufficient_scope', 'not_a_ci_route'], `${method} ${path}`)
  }
})
