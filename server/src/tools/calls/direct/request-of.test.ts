import assert from 'node:assert/strict'
import test from 'node:test'
import { isObject, type Json, type JsonObject, parseJson } from '../../../kernel/json/index.ts'
import { type HttpBinding, type Tool, validateCatalog } from '../../catalog/index.ts'
import { type ApiRequest, requestOf } from './request-of.ts'

/** A tool that takes whatever the binding places, as a catalog lets it through. */
function toolOf(http: JsonObject, more: JsonObject = {}): Pick<Tool, 'parameters'> & { http: HttpBinding } {
  const bound = isObject(http.arguments) ? Object.keys(http.arguments) : []
  const short = [http.query, http.headers].flatMap((list) => (Array.isArray(list) ? list : []))
  const names = [...bound, ...short.filter((name) => typeof name === 'string'), ...Object.keys(more)]
  const properties = Object.fromEntries(names.map((name) => [name, {}]))
  const description = 'Does what the test needs of it, and nothing that anybody asks for.'
  const tool = { name: 'a_tool', description, is_write: true, parameters: { type: 'object', properties }, http }
  const checked = validateCatalog([tool])
  const [found] = checked.ok ? checked.tools : assert.fail(checked.error)
  return found?.http ? { parameters: found.parameters, http: found.http } : assert.fail('no binding')
}

const made = (http: JsonObject, given: JsonObject, more?: JsonObject): ApiRequest => {
  const result = requestOf(toolOf(http, more), given)
  return result.ok ? result.request : assert.fail(result.fault)
}
const fault = (http: JsonObject, given: JsonObject): string => {
  const result = requestOf(toolOf(http), given)
  return result.ok ? assert.fail(`it was let through: ${result.request.path}`) : result.fault
}

const inPath = { in: 'path', name: 'id' }
const item = { method: 'DELETE', path: '/items/{id}', arguments: { id: inPath } }

test('an argument does not write over a header that the binding fixes', () => {
  const http = {
    method: 'GET',
    path: '/orders',
    headers: [{ name: 'X-Mode', value: 'safe' }],
    arguments: { mode: { in: 'header', name: 'x_mode' } },
  }
  assert.equal(
    fault(http, { mode: 'unsafe' }),
    'The argument "mode" goes into the header "X-Mode", which is fixed. Leave it out.',
  )
  assert.deepEqual(made(http, {}).headers, [['X-Mode', 'safe']])
})

test('every argument goes to its place, and what the binding fixes goes along', () => {
  const http = {
    method: 'POST',
    path: '/orders/{order}/lines/{line}.json#anything',
    query: [{ name: 'api-version', value: '2 b' }, 'dry'],
    headers: [{ name: 'Accept', value: 'application/vnd.shop+json' }],
    body: 'json',
    mediaType: 'application/vnd.shop+json',
    arguments: {
      order: { in: 'path', name: 'order' },
      line: { in: 'path', name: 'line' },
      tag: { in: 'query', name: 'tag', explode: false },
      trace: { in: 'header', name: 'X-Trace' },
      session: { in: 'cookie', name: 'sid' },
      amount: { in: 'body', name: 'amount' },
      name_body: { in: 'body', name: 'name' },
    },
  }
  const given = parseJson(
    '{"order":"a/b","line":3,"dry":true,"tag":["x","y"],"trace":"t 1","session":"s;1","amount":9007199254740993,"name_body":null}',
  ) as JsonObject
  assert.deepEqual(made(http, given), {
    method: 'POST',
    path: '/orders/a%2Fb/lines/3.json',
    query: ['api-version=2%20b', 'dry=true', 'tag=x,y'],
    headers: [
      ['Accept', 'application/vnd.shop+json'],
      ['X-Trace', 't 1'],
    ],
    cookies: ['sid=s%3B1'],
    body: { contentType: 'application/vnd.shop+json', content: '{"amount":9007199254740993,"name":null}' },
  })
})

test('a path argument that is empty or climbs is refused, encoded or not', () => {
  for (const id of [
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '.%2e',
    '%252e%252e',
    'a/..',
    '../b',
    'a\\..\\b',
    'a%2f..%2fb',
    '%25252e.',
    '..;/x',
    '.;a=1',
    'a/..%3b/b',
    '..%253B',
  ]) {
    assert.match(fault(item, { id }), /must not be "\." or "\.\."/, id)
  }
  assert.match(fault(item, { id: '' }), /must not be empty/)
  assert.match(fault(item, { id: [] }), /must not be empty/)
  assert.match(fault(item, {}), /"id" stands in the path, so the call needs it/)
  assert.match(fault(item, { id: null }), /so the call needs it/)
  const twice = {
    method: 'GET',
    path: '/x/{a}{b}',
    arguments: { a: { in: 'path', name: 'a' }, b: { in: 'path', name: 'b' } },
  }
  assert.match(fault(twice, { a: '.', b: '.' }), /must not be/)
  for (const style of ['label', 'matrix']) {
    const http = { ...item, arguments: { id: { ...inPath, style } } }
    assert.match(fault(http, { id: '' }), /must not be empty/, style)
  }
  // A label writes the first dot itself.
  assert.match(fault({ ...item, arguments: { id: { ...inPath, style: 'label' } } }, { id: '.' }), /must not be/)
})

test('what only looks like climbing is sent', () => {
  for (const [id, path] of [
    ['a..b', '/items/a..b'],
    ['...', '/items/...'],
    ['a..;b', '/items/a..%3Bb'],
    [';..', '/items/%3B..'],
    ['100%', '/items/100%25'],
    ['{id}', '/items/%7Bid%7D'],
    ['$&', '/items/%24%26'],
  ] as const)
    assert.equal(made(item, { id }).path, path)
})

test('a value that its place cannot carry is refused, and so is one without a place', () => {
  const header = { method: 'GET', path: '/x', arguments: { trace: { in: 'header', name: 'X-Trace' } } }
  for (const trace of ['a\r\nX-Evil: 1', 'a\u0000', 'ქ'])
    assert.match(fault(header, { trace }), /"trace" goes into a header/)
  assert.match(fault(item, { id: 'a\ud800' }), /half a character/)
  assert.match(fault(item, { id: 'a', admin: true }), /"admin" has no place in the request/)
  assert.equal(made(item, { id: '\\ud800' }).path, '/items/%5Cud800')
})

test('an argument that the binding does not mention goes where one usually goes', () => {
  assert.deepEqual(made({ ...item, arguments: { id: inPath } }, { id: 'a', force: true }, { force: {} }).query, [
    'force=true',
  ])
  const posted = made({ method: 'POST', path: '/x', body: 'json' }, { a: 1, b: { c: [2] } }, { a: {}, b: {} })
  assert.equal(posted.body?.content, '{"a":1,"b":{"c":[2]}}')
})

test('a body that is one argument is that argument', () => {
  const http = {
    method: 'PUT',
    path: '/x',
    body: 'json',
    arguments: { body: { in: 'body', name: 'body', whole: true } },
  }
  for (const [value, content] of [
    [['a', 1], '["a",1]'],
    ['text', '"text"'],
    [null, 'null'],
  ] as [Json, string][])
    assert.equal(made(http, { body: value }).body?.content, content)
  assert.equal(made(http, {}).body, null)
})

test('a body without members is an empty object, and none at all on a DELETE', () => {
  const note = { note: { in: 'body', name: 'note' } }
  assert.equal(made({ method: 'POST', path: '/x', body: 'json', arguments: note }, {}).body?.content, '{}')
  assert.equal(made({ method: 'DELETE', path: '/x', body: 'json', arguments: note }, {}).body, null)
  assert.equal(
    made({ method: 'DELETE', path: '/x', body: 'json', arguments: note }, { note: 'n' }).body?.content,
    '{"note":"n"}',
  )
  assert.equal(made({ method: 'POST', path: '/x' }, {}).body, null)
})

test('a form: a list repeats its name and an object is JSON, unless its encoding says otherwise', () => {
  const body = (name: string, more: JsonObject = {}) => ({ in: 'body', name, ...more })
  const http = {
    method: 'POST',
    path: '/x',
    body: 'form',
    arguments: {
      plain: body('plain'),
      list: body('list'),
      object: body('object'),
      deep: body('deep', { style: 'deepObject' }),
      csv: body('csv', { explode: false }),
      json: body('json', { contentType: 'application/json' }),
    },
  }
  const given = { plain: 'a b&c', list: ['x', 'y'], object: { k: 1 }, deep: [{ k: 'v' }], csv: ['1', '2'], json: ['z'] }
  const { contentType, content } = made(http, given).body ?? assert.fail('no body')
  assert.equal(contentType, 'application/x-www-form-urlencoded')
  assert.deepEqual(
    [...new URLSearchParams(content)],
    [
      ['plain', 'a b&c'],
      ['list', 'x'],
      ['list', 'y'],
      ['object', '{"k":1}'],
      ['deep[0][k]', 'v'],
      ['csv', '1,2'],
      ['json', '["z"]'],
    ],
  )
})

test('a body of parts has one for each item, and no name or value ends its own part', async () => {
  const http = {
    method: 'POST',
    path: '/x',
    body: 'form',
    mediaType: 'multipart/form-data',
    arguments: {
      list: { in: 'body', name: 'list' },
      object: { in: 'body', name: 'object' },
      note: { in: 'body', name: 'no"te\r\n' },
    },
  }
  const given = { list: ['x', 'y'], object: { k: 'v' }, note: 'a\r\n--part-\r\nb' }
  const { contentType, content } = made(http, given).body ?? assert.fail('no body')
  const read = await new Response(content, { headers: { 'content-type': contentType } }).formData()
  const parts = await Promise.all(
    [...read].map(async ([name, value]) => [name, typeof value === 'string' ? value : await value.text()]),
  )
  assert.deepEqual(parts, [
    ['list', 'x'],
    ['list', 'y'],
    ['object', '{"k":"v"}'],
    ['no"te\r\n', 'a\r\n--part-\r\nb'],
  ])
})
