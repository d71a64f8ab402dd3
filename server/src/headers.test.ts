// The reference says every header that a route reads. Which ones are read is seen here, by asking with a head that remembers.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { REQUEST_HEADERS } from '@tether/contract'
import { everyRoute } from './all-routes.ts'
import { openApiDocument } from './api/reference/index.ts'

const INFO = { version: '1', url: 'http://127.0.0.1:8787' }
const document = openApiDocument(everyRoute(INFO), INFO)
const headersOf = (method: string, route: string): string[] =>
  (document.paths[route]?.[method]?.parameters ?? []).filter((one) => one.in === 'header').map(({ name }) => name)

const WHO = ['X-Service-User-Id', 'X-Service-User-Role', 'X-Service-Scope-Id']
const TOKENS = ['X-Service-Customer-Token', 'X-Service-Upstream-Token']

test('each route lists the headers that it reads', () => {
  for (const [method, route, expected] of [
    ['post', '/v1/actions', [...WHO, ...TOKENS, 'Idempotency-Key']],
    ['post', '/v1/tools/{name}/call', [...WHO, ...TOKENS, 'Idempotency-Key']],
    [
      'post',
      '/v1/actions/{actionId}/confirm',
      ['X-Service-User-Id', 'X-Service-User-Role', 'X-Service-User-Session', 'X-Service-Upstream-Token', 'Origin'],
    ],
    ['post', '/v1/actions/{actionId}/reject', ['X-Service-User-Id', 'X-Service-User-Session']],
    ['post', '/v1/chat', [...WHO, ...TOKENS, 'X-Client-Surface', 'Origin']],
    ['post', '/v1/chat/stream', [...WHO, ...TOKENS, 'X-Client-Surface', 'Last-Event-ID', 'Origin']],
    ['get', '/v1/chat/brand', ['Origin']],
    ['get', '/v1/audit', ['Accept']],
    ['get', '/v1/audit/export', ['Accept']],
    ['get', '/account/confirm', ['Accept-Language']],
    ['post', '/v1/endpoint/test', WHO],
    ['get', '/v1/account', []],
  ] as const)
    assert.deepEqual(headersOf(method, route).toSorted(), expected.toSorted(), `${method} ${route}`)
})

/** Headers of answers: ours, and those of pages and services that we ask. */
const OF_ANSWERS = new Set([
  'allow',
  'location',
  'retry-after',
  'etag',
  'link',
  'cf-mitigated',
  'host',
  'strict-transport-security',
  'content-security-policy',
])

test('no header is read that the table does not have', () => {
  const known = new Set(Object.keys(REQUEST_HEADERS).map((name) => name.toLowerCase()))
  // The key, what a proxy adds, what HTTP itself needs, the walls of the demo and of the inbox.
  for (const name of [
    'x-api-key',
    'authorization',
    'content-type',
    'content-length',
    'transfer-encoding',
    'sec-fetch-site',
    'cookie',
  ])
    known.add(name)
  for (const name of ['x-forwarded-for', 'x-service-relay', 'x-service-visitor']) known.add(name)
  // Slack's signature, on a route that no caller of ours uses.
  for (const name of ['x-slack-signature', 'x-slack-request-timestamp']) known.add(name)
  // Our own signature, where the service delivers to itself.
  for (const name of ['x-service-signature', 'x-service-timestamp']) known.add(name)
  const root = import.meta.dirname
  const read = globSync('{kernel/http,tenancy,tools,writes,talk,api,pages,modules}/**/*.ts', { cwd: root })
    .filter((file) => !/\.(test|browser)\.ts$|fixtures|tools\/calls/.test(file))
    .flatMap((file) => [
      ...readFileSync(path.join(root, file), 'utf8').matchAll(
        /(?:headers\[|valuesOf\()'([a-z-]+)'|headers\.(?!(?:ts|md)\b)([a-z]+)\b(?!\()/g,
      ),
    ])
    .flatMap(([, quoted, plain]) => [quoted ?? plain ?? ''])
  assert.ok(read.length > 50)
  assert.deepEqual(
    [...new Set(read)].filter((name) => !known.has(name) && !OF_ANSWERS.has(name)),
    [],
  )
})

test('the page of headers names each of them with its routes', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/reference/headers.md'), 'utf8')
  for (const name of Object.keys(REQUEST_HEADERS))
    assert.match(page, new RegExp(`^\\| \`${name}\` \\| [^|]+ \\| .*/.* \\|$`, 'm'), name)
})
