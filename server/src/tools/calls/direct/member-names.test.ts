// A free-form object writes its members beside the parameters of the operation. None may take the place of one of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, call, importing, set } from '../fixtures/imported-shop.ts'
import { readAlike } from './credential.ts'

const free = { type: 'object', additionalProperties: true }
const text = { type: 'string' }
const filter = { in: 'query', name: 'filter' }
const deep = { in: 'query', name: 'page', style: 'deepObject', explode: true }
const fields = { in: 'body', name: 'fields', style: 'form', explode: true }

const tool = (name: string, properties: object, http: object, is_write = false) => ({
  name,
  description: 'Takes an object with members of any name, for the tests of what they may be.',
  is_write,
  parameters: { type: 'object', properties },
  http,
})
const query = [{ name: 'mode', value: 'safe' }]
const owner = { in: 'query', name: 'owner' }
const TOOLS = [
  tool(
    'list_things',
    { filter: free, owner: text },
    { method: 'GET', path: '/things', query, arguments: { filter, owner } },
  ),
  tool(
    'page_things',
    { page: free, size: text, key: text },
    {
      method: 'GET',
      path: '/things',
      arguments: { page: deep, size: { in: 'query', name: 'page[size]' }, key: { in: 'query', name: 'API.Key' } },
    },
  ),
  tool(
    'change_thing',
    { filter: free, fields: free, owner: text },
    {
      method: 'POST',
      path: '/things',
      query,
      body: 'form',
      arguments: { filter, fields, owner: { in: 'body', name: 'owner' } },
    },
    true,
  ),
  tool(
    'read_cookies',
    { jar: free, session: text, opts: free, id: text },
    {
      method: 'GET',
      path: '/things{id}{opts}',
      arguments: {
        jar: { in: 'cookie', name: 'jar' },
        session: { in: 'cookie', name: 'session' },
        id: { in: 'path', name: 'id', style: 'matrix' },
        opts: { in: 'path', name: 'opts', style: 'matrix', explode: true },
      },
    },
  ),
]

/** Registers the tools. Each test calls this first, because a call of an unknown tool fails. */
async function registered(): Promise<void> {
  const { status, text: said } = await set.house.ask('PUT', '/v1/tools', { key: set.shop.apiKey, body: TOOLS })
  assert.equal(status, 200, said)
}
const credential = { scheme: 'query', name: 'api_key', value: 'the-credential' } as const

const stage = (given: object) =>
  set.house.ask<{ actionId: string }>('POST', '/v1/actions', {
    key: set.shop.apiKey,
    body: { tool: 'change_thing', arguments: given },
  })

async function refusesCalls(name: string, all: readonly object[]): Promise<void> {
  const seen = api.answering(200)
  for (const given of all) {
    const { status, error } = await call(name, given)
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], JSON.stringify(given))
    assert.match(error?.message ?? '', /^The argument "\w+" has the member ".*", which .* Leave it out\.$/)
  }
  assert.equal(seen.length, 0)
}

/** Names that some server reads as `name`. */
const variants = (name: string): string[] => [
  name,
  name.toUpperCase(),
  `${name}[]`,
  `${name}[a]`,
  ` ${name}`,
  name.replaceAll('_', '.'),
  name.replaceAll('_', '-'),
  name.replaceAll('_', ' '),
]

test('a member that reads like a fixed, declared or credential parameter is refused when a tool is called', async () => {
  await importing({ credential })
  await registered()
  const names = ['mode', 'owner', 'api_key'].flatMap(variants)
  await refusesCalls(
    'list_things',
    names.map((name) => ({ filter: { [name]: 'x' } })),
  )
  const seen = api.answering(200)
  const { status } = await call('list_things', { filter: { color: 'red', model: 'x', filter: 'y' }, owner: 'me' })
  assert.equal(status, 200)
  assert.equal(seen[0]?.target, '/v2/things?mode=safe&color=red&model=x&filter=y&owner=me&api_key=the-credential')
})

test('names are compared as lenient servers read them', () => {
  for (const name of [...variants('api_key'), 'api_key\u0000x', 'api[key]']) assert.ok(readAlike(name, 'api_key'), name)
  for (const name of ['apikey', 'api_keys', 'my_api_key', 'key']) assert.ok(!readAlike(name, 'api_key'), name)
})

test('the same is refused when a write is staged, in its query and in its form', async () => {
  await importing({ credential })
  await registered()
  const taken = [
    ...['mode', 'api_key'].flatMap(variants).map((name) => ({ filter: { [name]: 'x' } })),
    ...['mode', 'api_key', 'owner'].flatMap(variants).map((name) => ({ fields: { [name]: 'x' } })),
  ]
  for (const given of taken) {
    const { status, error } = await stage(given)
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], JSON.stringify(given))
  }
  // `owner` is declared for the form, and the query has no such parameter.
  assert.equal((await stage({ filter: { owner: 'x' }, fields: { color: 'red' } })).status, 200)
})

test('the same is refused for a deepObject, a cookie and a matrix in the path', async () => {
  await importing({ credential: { ...credential, name: 'page_key' } })
  await registered()
  await refusesCalls('page_things', [{ page: { size: 1 } }, { page: { SIZE: 1 } }, { page: { key: 1 } }])
  await refusesCalls('read_cookies', [
    { jar: { session: 'x' }, id: '1', opts: { a: 1 } },
    { jar: { Session: 'x' }, id: '1', opts: { a: 1 } },
    { id: '1', opts: { ID: '2' } },
  ])
  const seen = api.answering(200)
  assert.equal((await call('page_things', { page: { number: 2 } })).status, 200)
  assert.equal((await call('read_cookies', { jar: { theme: 'x' }, id: '1', opts: { a: 1 } })).status, 200)
  assert.deepEqual(
    seen.map(({ target }) => target),
    ['/v2/things?page%5Bnumber%5D=2&page_key=the-credential', '/v2/things;id=1;a=1?page_key=the-credential'],
  )
})

test('a credential in the query takes the place of an argument that a lenient server reads as its name', async () => {
  await importing({ credential })
  await registered()
  const seen = api.answering(200)
  await call('page_things', { key: 'a model’s own' })
  assert.equal(seen[0]?.target, '/v2/things?api_key=the-credential')
})

test('a write that was staged before a credential took the name of one of its members is not sent', async () => {
  await importing()
  await registered()
  const { key, house } = { key: set.shop.apiKey, house: set.house }
  const staged = await stage({ filter: { api_key: 'x' } })
  assert.equal(staged.status, 200, staged.text)
  assert.equal((await house.ask('PATCH', '/v1/tools/api', { key, body: { credential } })).status, 200)
  const seen = api.answering(200)
  const headers = { 'x-service-user-id': '7' }
  const { body } = await house.ask<{ status: string; errorMessage: string }>(
    'POST',
    `/v1/actions/${staged.body.actionId}/confirm`,
    { key, headers, body: {} },
  )
  assert.deepEqual([body.status, seen.length], ['FailedTerminal', 0])
  assert.match(body.errorMessage, /"api_key", which .* credential/)
})
