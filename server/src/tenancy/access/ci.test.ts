import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { z } from 'zod'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { type CiTerms, readSource, route } from './index.ts'

const probe = (path: `/${string}`, ci: CiTerms) =>
  route({
    method: 'POST',
    path,
    reach: { who: 'tenant', kinds: ['secret'], ci },
    lane: 'control',
    group: 'Probe',
    summary: 'Takes what a pipeline sends',
    body: z.object({ name: z.string() }),
    answers: { 200: { schema: z.unknown() } },
    handle: async () => ({ status: 200, body: {} }),
  })

let house: OpenHouse
before(async () => {
  house = await openHouse({
    moreRoutes: [
      probe('/v1/probe/draft', { source: true, draftWithout: ['operations', 'credential', 'skipUndeclared'] }),
      probe('/v1/probe/document', { source: true, replace: true }),
    ],
  })
})
after(() => house.close())

const source = { kind: 'repository', commit: '0f3a9be', path: 'docs/returns.md', dirty: false }
const name = 'returns'

test('a CI key drafts with a source; what goes beyond has a reason of its own, said before the shape of the body', async () => {
  const { tenantId, apiKey } = await house.tenant()
  const keys = { secret: apiKey, ci: await house.key(tenantId, 'ci'), strong: await house.key(tenantId, 'ci_replace') }
  const asked = async (key: keyof typeof keys, path: string, body: unknown) => {
    const { status, error } = await house.ask('POST', `/v1/probe/${path}`, { key: keys[key], body })
    return status === 200 ? 200 : `${status} ${error?.code} ${error?.reason}`
  }
  const refused = (reason: string) => `403 insufficient_scope ${reason}`
  for (const key of ['ci', 'strong'] as const) {
    assert.equal(await asked(key, 'draft', { name, source }), 200)
    assert.equal(await asked(key, 'draft', { name, source, operations: null, skipUndeclared: false }), 200)
    for (const beyond of [{ operations: {} }, { credential: 'x' }, { credential: '' }, { skipUndeclared: true }]) {
      assert.equal(await asked(key, 'draft', { name, source, ...beyond }), refused('ci_draft_only'))
    }
    for (const without of [undefined, null, 'main', {}, { ...source, kind: 'upload' }, [source]]) {
      assert.equal(await asked(key, 'draft', { source: without }), refused('ci_source_required'), String(without))
    }
    assert.equal(await asked(key, 'document', [source]), refused('ci_source_required'))
    assert.equal(await asked(key, 'document', undefined), refused('ci_source_required'))
    assert.equal(await asked(key, 'document', { source }), '400 invalid_request undefined')
  }
  assert.equal(await asked('ci', 'document', { name, source, replace: true }), refused('ci_replace_not_allowed'))
  assert.equal(await asked('ci', 'document', { name, source, replace: false }), 200)
  assert.equal(await asked('strong', 'document', { name, source, replace: true }), 200)
  assert.equal(await asked('secret', 'draft', { name, operations: {}, credential: 'x' }), 200)
  assert.equal(await asked('secret', 'document', { name, replace: true }), 200)
})

test('a source is kept as it was sent, or its fault names the member', () => {
  assert.deepEqual(readSource(undefined), { source: null })
  assert.deepEqual(readSource(null), { source: null })
  for (const good of [
    source,
    { ...source, commit: 'ABCDEF0123'.repeat(6), dirty: true },
    { ...source, path: 'დოკუმენტი/ა..ბ.md' },
    { ...source, path: '🧾'.repeat(400) },
  ]) {
    assert.deepEqual(readSource({ ...good, more: 1 }), { source: good })
  }
  const faultOf = (value: unknown) => {
    const read = readSource(value)
    assert.ok('fault' in read, JSON.stringify(value))
    return read.fault
  }
  for (const [member, wrong] of [
    ['kind', [undefined, null, 'Repository', 1]],
    ['commit', [undefined, null, '0f3a9b', 'a'.repeat(65), '0f3a9bg', 1234567, 'main']],
    [
      'path',
      [undefined, null, '', '/etc/passwd', '../up', 'a/../b', '..', 'a/..', 'x'.repeat(401), 'a\nb', '\ud800', 7],
    ],
    ['dirty', [undefined, null, 'false', 0]],
  ] as const) {
    for (const value of wrong) assert.match(faultOf({ ...source, [member]: value }), RegExp(`\`source\\.${member}\``))
  }
  for (const value of ['main', 7, [], true]) assert.match(faultOf(value), /`source` is/)
})
