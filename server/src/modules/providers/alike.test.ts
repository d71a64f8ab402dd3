// A business that is somebody else's and one that does not exist: the same bytes, after the same statements.
import assert from 'node:assert/strict'
import test from 'node:test'
import { openHouse, type Reply } from '../../../testkit/house.ts'
import { openProvider } from '../../../testkit/providers.ts'
import { listenTo } from '../../../testkit/statements.ts'
import type { Route } from '../../tenancy/access/index.ts'
import { openApiImport } from '../openapi-import/module.ts'
import { providers } from './module.ts'

const NOBODYS = 2_000_000

/** What a request says that differs from one request to the next, whatever was asked. */
const VOLATILE = ['x-request-id', 'date', 'ratelimit-remaining', 'ratelimit-reset']
const headersOf = ({ headers }: Reply) => Object.entries(headers).filter(([name]) => !VOLATILE.includes(name))

test('every route that names a business answers for another’s as for none', async () => {
  await using house = await openHouse({
    modules: [openApiImport, providers],
    settings: { 'Mail:Transport': 'console' },
  })
  const [mine, theirs] = [await openProvider(house), await openProvider(house)]
  await mine.business()
  const foreign = await theirs.business()
  const plain = await house.tenant()
  const statements: string[] = []
  listenTo(house, (name) => statements.push(name))

  const ask = async (route: Pick<Route, 'method' | 'path'>, path: string, body: unknown) => {
    statements.length = 0
    const reply = await house.ask(route.method, path, { key: mine.key, ...(body === undefined ? {} : { body }) })
    return { status: reply.status, text: reply.text, headers: headersOf(reply), statements: [...statements] }
  }
  const askFor = async ({ method, path, example }: Route, tenantId: number) => {
    const body = method === 'DELETE' && example?.body !== undefined ? { confirm: 'Corner Shop' } : example?.body
    const asked = path.replace(':id', String(tenantId)).replace(':prefix', foreign.keyPrefix)
    return await ask({ method, path }, asked, body)
  }
  const named = house.app.routes.filter(({ path }) => path.startsWith('/v1/provider/tenants/:id'))
  assert.equal(named.length, 6)
  for (const route of named) {
    const answer = await askFor(route, NOBODYS)
    assert.equal(answer.status, 404, answer.text)
    assert.match(answer.text, /"not_a_child_tenant"/)
    for (const id of ['abc', '0', '-1', '1.5']) {
      const asked = route.path.replace(':id', id).replace(':prefix', foreign.keyPrefix)
      const { status, text } = await ask(route, asked, route.example?.body)
      assert.deepEqual([status, /"code":"([a-z_]+)"/.exec(text)?.[1]], [404, 'not_a_child_tenant'], asked)
    }
    assert.ok(answer.statements.length >= 2, 'the listening hears something')
    for (const { tenantId } of [foreign, plain, theirs, mine])
      assert.deepEqual(await askFor(route, tenantId), answer, `${route.method} ${route.path}`)
  }
  const inBody: readonly (readonly [Pick<Route, 'method' | 'path'>, (tenantId: number) => object])[] = [
    [{ method: 'PUT', path: '/v1/provider/configuration' }, (one) => ({ parts: ['origins'], tenantIds: [one] })],
    [{ method: 'POST', path: '/v1/user-sessions/sign-in' }, (tenantId) => ({ email: 'ana@shop.example', tenantId })],
  ]
  for (const [route, body] of inBody) {
    const answer = await ask(route, route.path, body(NOBODYS))
    assert.match(answer.text, /"not_a_child_tenant"/)
    for (const { tenantId } of [foreign, plain, theirs, mine])
      assert.deepEqual(await ask(route, route.path, body(tenantId)), answer, route.path)
  }
})
