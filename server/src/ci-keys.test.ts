// What a CI key may do, on every route of the service.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../testkit/house.ts'
import { MODULES } from './modules.ts'
import { kindsReaching, type Route } from './tenancy/access/index.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: MODULES })
})
after(() => house.close())

const source = { kind: 'repository', commit: '0f3a9be', path: 'docs/returns.md', dirty: false }

test('every route holds a CI key to its terms, and the others are none of its business', async () => {
  const { tenantId } = await house.tenant()
  const [ci, strong] = [await house.key(tenantId, 'ci'), await house.key(tenantId, 'ci_replace')]
  const reasonOf = async (key: string, { method, path }: Route, body?: object) => {
    const filled = path.replaceAll(/:[a-zA-Z]+/g, 'x')
    const { error } = await house.ask(method, filled, { key, ...(body === undefined ? {} : { body }) })
    return error?.code === 'insufficient_scope' ? error.reason : undefined
  }
  let seen = 0
  for (const one of house.app.routes) {
    const { reach, method, example } = one
    if (reach.who === 'anyone') continue
    const terms = reach.who === 'tenant' ? reach.ci : undefined
    const name = `${method} ${one.path}`
    if (terms === undefined) {
      assert.equal(await reasonOf(ci, one), reach.who === 'operator' ? undefined : 'not_a_ci_route', name)
      continue
    }
    seen++
    const beyondDraft = terms.draftWithout ?? []
    const sent = Object.entries({ ...(example?.body as object | undefined), source })
    const body = Object.fromEntries(sent.filter(([member]) => !beyondDraft.includes(member)))
    for (const key of [ci, strong]) {
      assert.equal(await reasonOf(key, one, method === 'GET' ? undefined : body), undefined, name)
      if (terms.source) assert.equal(await reasonOf(key, one, { ...body, source: null }), 'ci_source_required', name)
      for (const beyond of beyondDraft)
        assert.equal(await reasonOf(key, one, { ...body, [beyond]: true }), 'ci_draft_only', `${name} ${beyond}`)
    }
    if (terms.replace !== true) continue
    assert.equal(await reasonOf(ci, one, { ...body, replace: true }), 'ci_replace_not_allowed', name)
    assert.equal(await reasonOf(strong, one, { ...body, replace: true }), undefined, name)
  }
  assert.ok(seen >= 6, `${seen}`)
})

test('every route that takes something from a CI key asks it for a source', () => {
  for (const { method, path, reach } of house.app.routes) {
    if (reach.who !== 'tenant' || !kindsReaching(reach).includes('ci') || method === 'GET') continue
    assert.equal(reach.ci?.source, true, `${method} ${path}`)
  }
})
