// Reads of an imported API: what is sent, with whose credential, and what comes back. Writes are tried where they are confirmed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiCredential } from '@tether/contract'
import { mintCustomerToken, verifySignature } from '@tether/sdk'
import { type ApiCall, answer } from '../../../../testkit/pretend-api.ts'
import { api, call, forgetImport, importing, set, spoilCredential } from '../fixtures/imported-shop.ts'

const only = (seen: readonly ApiCall[]): ApiCall => {
  assert.equal(seen.length, 1)
  return seen[0] ?? assert.fail('nothing came')
}

test('a read reaches the API as its binding says, signed, and its answer comes back to the byte', async () => {
  const seen = api.play((_call, response) => response.end('{"total": 9007199254740993,  "price":1.10}'))
  const reply = await call('list_orders', { page: 2, state: ['paid', 'a b'], trace: 't-1' })
  assert.equal(reply.status, 200)
  assert.ok(reply.text.includes('{"total": 9007199254740993,  "price":1.10}'), reply.text)
  const { method, target, headers, text } = only(seen)
  assert.equal(method, 'GET')
  assert.equal(target, '/v2/orders?api-version=2&page%5Bnumber%5D=2&state=paid&state=a%20b')
  assert.equal(text, '')
  assert.equal(headers['x-trace'], 't-1')
  assert.equal(headers.accept, 'application/json')
  assert.equal(headers.authorization, undefined)
  assert.equal(headers['idempotency-key'], undefined, 'a read has no such key')
  assert.equal(headers['x-service-customer-id'], undefined)
  assert.match(String(headers['x-service-idempotency-key']), /^req_/)
  const received = { headers: headers as Record<string, string>, body: text }
  const signature = await verifySignature({ secret: set.shop.signingSecret, ...received })
  assert.deepEqual([signature.ok, signature.ok && signature.header], [true, 'X-Service-Signature'])
})

test('long arguments of a query are sent, and those that no server would take are refused before anything is', async () => {
  const seen = api.answering(200)
  const states = (count: number) => Array.from({ length: count }, (_, at) => `state number ${1000 + at}`)
  const sent = await call('list_orders', { state: states(150) })
  assert.equal(sent.body.status, 'ok', sent.text)
  assert.ok(only(seen).target.length > 3_000, `${only(seen).target.length}`)
  const refused = await call('list_orders', { state: states(400) })
  assert.deepEqual([refused.status, refused.error?.code], [400, 'invalid_request'], refused.text)
  assert.match(refused.error?.message ?? '', /address of \d+ characters, and 8192 is the most/)
  assert.equal(seen.length, 1)
  const keyed = await call('list_orders', { state: states(200), key: 'k'.repeat(1_000) })
  assert.equal(keyed.body.status, 'ok', keyed.text)
})

test('a verified customer is named to the API, in the bytes of UTF-8', async () => {
  const { body } = await set.house.ask<{ customerTokenKey: string }>('POST', '/v1/account/customer-token-key', {
    key: set.shop.apiKey,
  })
  for (const customer of ['c-17', 'მარიამ']) {
    const minted = { key: body.customerTokenKey, tenantId: set.shop.tenantId, customerId: customer }
    const token = await mintCustomerToken(minted)
    const seen = api.answering(200)
    assert.equal((await call('get_own_order', { number: 'A-1' })).status, 403)
    assert.equal(seen.length, 0)
    await call('get_own_order', { number: 'A-1' }, { 'x-service-customer-token': token })
    const sent = String(only(seen).headers['x-service-customer-id'])
    assert.equal(Buffer.from(sent, 'latin1').toString(), customer)
  }
})

const SCHEMES: readonly [credential: ApiCredential, header: string, value: string][] = [
  ['secret-of-the-shop', 'authorization', 'Bearer secret-of-the-shop'],
  [{ scheme: 'bearer', token: 'secret-of-the-shop' }, 'authorization', 'Bearer secret-of-the-shop'],
  [
    { scheme: 'header', name: 'X-Api-Token', value: 'Token secret-of-the-shop' },
    'x-api-token',
    'Token secret-of-the-shop',
  ],
  [
    { scheme: 'basic', username: 'shop', password: 'pässword-of-the-shop' },
    'authorization',
    `Basic ${Buffer.from('shop:pässword-of-the-shop').toString('base64')}`,
  ],
]

test('the stored credential is sent as its scheme says, and once', async () => {
  for (const [credential, header, value] of SCHEMES) {
    await importing({ credential })
    const seen = api.answering(200)
    assert.equal((await call('get_order', { number: 'A-1' })).body.status, 'ok')
    const { headers, rawHeaders } = only(seen)
    assert.equal(headers[header], value)
    assert.equal(rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === header).length, 1)
  }
})

test('a credential in the query takes the place of an argument that would write over it', async () => {
  await importing({ credential: { scheme: 'query', name: 'api_key', value: 'a key&with=signs' } })
  const seen = api.answering(200)
  await call('list_orders', { key: 'a model’s own', page: 1 })
  const query = new URL(only(seen).target, 'http://a').searchParams
  assert.deepEqual(query.getAll('api_key'), ['a key&with=signs'])
  assert.equal(query.get('page[number]'), '1')
})

test('a credential in a header takes the place of an argument that would write over it', async () => {
  for (const name of ['x-trace', 'X_Trace']) {
    await importing({ credential: { scheme: 'header', name, value: 'the-credential' } })
    const seen = api.answering(200)
    await call('list_orders', { trace: 'a models own' })
    const { headers } = only(seen)
    // A server that knows one mark alone reads both names as one.
    const traces = Object.keys(headers).filter((header) => header.replaceAll('_', '-') === 'x-trace')
    assert.deepEqual(
      traces.map((header) => headers[header]),
      ['the-credential'],
      name,
    )
  }
})

test('whose token is sent: ignore, prefer, require', async () => {
  const token = { 'x-service-upstream-token': 'token-of-the-person' }
  const none = {}
  const rows = [
    ['ignore', token, 'Bearer secret-of-the-shop'],
    ['ignore', none, 'Bearer secret-of-the-shop'],
    ['prefer', token, 'Bearer token-of-the-person'],
    ['prefer', none, 'Bearer secret-of-the-shop'],
    ['require', token, 'Bearer token-of-the-person'],
  ] as const
  for (const [userToken, headers, sent] of rows) {
    await importing({ userToken, credential: 'secret-of-the-shop' })
    const seen = api.answering(200)
    await call('get_order', { number: 'A-1' }, headers)
    assert.equal(only(seen).headers.authorization, sent, userToken)
    assert.equal(only(seen).headers['x-service-upstream-token'], undefined)
  }
  await importing({ userToken: 'require', credential: 'secret-of-the-shop' })
  const seen = api.answering(200)
  const refused = await call('get_order', { number: 'A-1' })
  assert.equal(refused.status, 403)
  assert.deepEqual([refused.body.status, refused.body.toolName], ['user_token_required', 'get_order'])
  assert.equal(refused.error, undefined)
  assert.equal(seen.length, 0, 'the API is not called')
})

test('a person’s token stands alone: a stored key that goes elsewhere is not sent beside it', async () => {
  await importing({
    userToken: 'prefer',
    credential: { scheme: 'header', name: 'X-Api-Token', value: 'secret-of-the-shop' },
  })
  const seen = api.answering(200)
  await call('get_order', { number: 'A-1' }, { 'x-service-upstream-token': 'token-of-the-person' })
  assert.equal(only(seen).headers['x-api-token'], undefined)
})

test('a 401 or a 403 says whose credential was sent, and repeats none of them', async () => {
  const rows = [
    [{ 'x-service-upstream-token': 'token-of-the-person' }, 'secret-of-the-shop', /signed-in person's token/],
    [{}, 'secret-of-the-shop', /the stored credential/],
    [{}, null, /without a credential: none was sent/],
  ] as const
  for (const [headers, credential, says] of rows) {
    for (const status of [401, 403]) {
      await importing({ userToken: 'prefer', credential })
      api.play(({ headers: sent }, response) =>
        answer(response, status, { error: { code: 'denied', message: `No: ${sent.authorization} is not known.` } }),
      )
      const reply = await call('get_order', { number: 'A-1' }, headers)
      assert.equal(reply.body.status, 'endpoint_error')
      assert.match(reply.body.message ?? '', says)
      assert.match(reply.body.message ?? '', /denied/)
      assert.ok(!/secret-of-the-shop|token-of-the-person/.test(reply.text), reply.text)
    }
  }
})

test('an answer that repeats a credential comes back without it, in whatever form', async () => {
  const secret = 'sk_live/9f+Q2x7=Zp8w3k'
  await importing({ credential: secret })
  api.answering(
    200,
    {
      [secret]: 1,
      plain: `Bearer ${secret}`,
      encoded: encodeURIComponent(secret),
      base64: Buffer.from(`x:${secret}`).toString('base64'),
      pieces: [secret.slice(0, 12), secret.slice(12)],
      n: 1,
    },
    { link: `</v2/orders?page[number]=3&key=${secret}>; rel="next"`, 'x-echo': secret },
  )
  const reply = await call('list_orders', {})
  assert.ok(!reply.text.includes(secret.slice(0, 12)), reply.text)
  assert.ok(!reply.text.includes(encodeURIComponent(secret).slice(0, 14)), reply.text)
  assert.ok(!reply.text.includes(Buffer.from(`xyz${secret}`).toString('base64').slice(4, 20)))
  const result = reply.body.result as { n: number; pieces: string[] }
  assert.equal(result.n, 1)
  assert.equal(result.pieces[0], '[redacted]')
  const { logged } = set.house
  assert.ok(!logged.some((line) => line.includes(secret)), 'nor does it reach the log')
})

test('a redirect is not followed, with a credential or without', async () => {
  for (const credential of ['secret-of-the-shop', null]) {
    await importing({ credential })
    const seen = api.play(({ target }, response) =>
      target.startsWith('/elsewhere') ? answer(response, 200) : answer(response, 302, '', { location: '/elsewhere' }),
    )
    const reply = await call('get_order', { number: 'A-1' })
    assert.equal(reply.body.status, 'endpoint_error')
    assert.match(reply.body.message ?? '', /302.*redirects are not followed/)
    only(seen)
  }
})

test('arguments that would lead elsewhere are refused before anything is sent, to a read and to a write', async () => {
  const seen = api.answering(200)
  for (const name of ['get_order', 'refund_order'])
    for (const number of ['', '.', '..', '%2e%2e', '../admin', 'a/../..']) {
      const reply = await call(name, { number })
      assert.equal(reply.status, 400, number)
      assert.equal(reply.error?.code, 'invalid_request')
      assert.match(reply.error?.message ?? '', /"number" stands in the path/)
    }
  assert.equal(seen.length, 0)
})

test('nothing imported, and a secret that does not open, are said, and nothing is called', async () => {
  const seen = api.answering(200)
  await forgetImport()
  assert.equal((await call('get_order', { number: 'A-1' })).body.status, 'not_configured')
  await importing({ credential: 'secret-of-the-shop' })
  await spoilCredential()
  const reply = await call('get_order', { number: 'A-1' })
  assert.equal(reply.body.status, 'failed')
  assert.match(reply.body.message ?? '', /could not be decrypted/)
  assert.equal(seen.length, 0)
})

test('a read is tried again after what passes, and never more often than it may', async () => {
  const seen = api.play((_call, response, turn) => answer(response, turn < 3 ? 503 : 200, { turn }))
  const reply = await call('get_order', { number: 'A-1' })
  assert.deepEqual(reply.body.result, { turn: 3 })
  assert.equal(new Set(seen.map(({ headers }) => headers['x-service-idempotency-key'])).size, 1)
  const failing = api.answering(429, { message: 'Slow down.' })
  const failed = await call('get_order', { number: 'A-1' })
  assert.deepEqual([failed.body.status, failed.body.lastStatus, failing.length], ['failed', 'endpoint_error', 3])
  assert.match(failed.body.message ?? '', /429: Slow down\. Tried 3 times\./)
})

test('a further page is told of in the words of the tool, and not followed', async () => {
  const linked = (link: string) => api.answering(200, [1, 2], { link })
  const seen = linked('<https://api.shop/orders?page%5Bnumber%5D=3&cursor=x>; rel="next", </orders?page=9>; rel="last"')
  const reply = await call('list_orders', { page: 2 })
  assert.equal(
    reply.body.notice,
    'There are more results than these. For the next page, call the tool again with page = "3".',
  )
  only(seen)
  linked('</orders?cursor=abc>; rel=next')
  assert.equal((await call('list_orders', {})).body.notice, 'There are more results than these, on a further page.')
  for (const link of ['</orders?page=1>; rel="prev"', 'nonsense', '</a>; title="next"']) {
    linked(link)
    assert.equal((await call('list_orders', {})).body.notice, undefined, link)
  }
})

const CLIENT = {
  scheme: 'oauth2_client_credentials',
  tokenUrl: '',
  clientId: 'shop id',
  clientSecret: 'client secret: of/the shop',
  scope: 'orders:read orders:write',
} as const
const client = async (more: object = {}): Promise<ApiCredential> => ({
  ...CLIENT,
  tokenUrl: `${await api.start()}/token`,
  // Each test has tokens of its own.
  clientId: `shop ${Math.random()}`,
  ...more,
})

test('client credentials are exchanged for a token once, however many calls need one', async () => {
  const credential = await client()
  await importing({ credential })
  const tokens = api.issuing((_call, response, turn) =>
    setTimeout(() => answer(response, 200, { access_token: `token-number-${turn}`, expires_in: '3600' }), 50),
  )
  const seen = api.answering(200)
  const replies = await Promise.all(Array.from({ length: 8 }, () => call('get_order', { number: 'A-1' })))
  assert.deepEqual(new Set(replies.map(({ body }) => body.status)), new Set(['ok']))
  assert.deepEqual(new Set(seen.map(({ headers }) => headers.authorization)), new Set(['Bearer token-number-1']))
  const { method, headers, text } = only(tokens)
  assert.equal(method, 'POST')
  const form = new URLSearchParams(text)
  assert.deepEqual(
    [form.get('grant_type'), form.get('scope'), form.get('client_secret')],
    ['client_credentials', CLIENT.scope, null],
  )
  const [user = '', password = ''] = Buffer.from(String(headers.authorization).slice(6), 'base64').toString().split(':')
  const plain = (written: string) => new URLSearchParams(`a=${written}`).get('a')
  assert.deepEqual([plain(user), plain(password)], [(credential as { clientId: string }).clientId, CLIENT.clientSecret])
})

test('an issuer may want the client in the body', async () => {
  await importing({ credential: await client({ clientAuthentication: 'body', audience: 'https://api.shop' }) })
  const tokens = api.issuing()
  api.answering(200)
  await call('get_order', { number: 'A-1' })
  const { headers, text } = only(tokens)
  assert.equal(headers.authorization, undefined)
  const form = new URLSearchParams(text)
  assert.deepEqual([form.get('client_secret'), form.get('audience')], [CLIENT.clientSecret, 'https://api.shop'])
})

test('a token is renewed before it ends', async () => {
  await importing({ credential: await client() })
  const tokens = api.issuing((_call, response, turn) =>
    answer(response, 200, { access_token: `short-token-${turn}`, expires_in: turn === 1 ? 0.2 : 3600 }),
  )
  const seen = api.answering(200)
  await call('get_order', { number: 'A-1' })
  await new Promise((resolve) => setTimeout(resolve, 250))
  await call('get_order', { number: 'A-1' })
  await call('get_order', { number: 'A-1' })
  assert.deepEqual(
    seen.map(({ headers }) => headers.authorization),
    ['Bearer short-token-1', 'Bearer short-token-2', 'Bearer short-token-2'],
  )
  assert.equal(tokens.length, 2)
})

test('a read whose token is no longer taken is sent again with a new one, once', async () => {
  await importing({ credential: await client() })
  const tokens = api.issuing()
  let taken = 'Bearer token-number-1'
  const seen = api.play(({ headers }, response) => answer(response, headers.authorization === taken ? 200 : 401))
  assert.equal((await call('get_order', { number: 'A-1' })).body.status, 'ok')
  taken = 'Bearer token-number-2'
  assert.equal((await call('get_order', { number: 'A-1' })).body.status, 'ok')
  assert.deepEqual([seen.length, tokens.length], [3, 2])
  taken = 'none'
  const reply = await call('get_order', { number: 'A-1' })
  assert.match(reply.body.message ?? '', /401.*stored credential/)
  assert.deepEqual([seen.length, tokens.length], [5, 3], 'a new token that is refused too is not renewed again')
})

test('without a token nothing is called, and the words repeat no secret', async () => {
  const rows = [
    [
      401,
      { error: 'invalid_client', error_description: CLIENT.clientSecret },
      'failed',
      /answered 401 \(invalid_client\)/,
    ],
    [200, { token: 'x' }, 'failed', /without a token/],
    [200, { access_token: 'a b' }, 'failed', /without a token/],
    [503, {}, 'failed', /answered 503.*Tried 3 times/],
  ] as const
  for (const [status, body, ends, says] of rows) {
    await importing({ credential: await client() })
    api.issuing((_call, response) => answer(response, status, body))
    const seen = api.answering(200)
    const reply = await call('get_order', { number: 'A-1' })
    assert.equal(reply.body.status, ends)
    assert.match(reply.body.message ?? '', says)
    assert.ok(!reply.text.includes(CLIENT.clientSecret))
    assert.equal(seen.length, 0)
  }
})
