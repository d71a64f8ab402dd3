// The package as it is installed, on whatever runs this (beside it are its ways in). It says how much held, and throws otherwise.
import {
  client,
  memoryClaims,
  mintCustomerToken,
  notFound,
  receiver,
  sqliteClaims,
  TetherError,
  verifySignature,
} from '@tether/sdk'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
let held = 0
const same = (one, other) => {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)]
  if (left !== right) throw new Error(`${left} should be ${right}`)
  held++
}

async function signed(body) {
  const { subtle } = globalThis.crypto ?? (await import('node:crypto')).webcrypto
  const bytes = (text) => new TextEncoder().encode(text)
  const key = await subtle.importKey('raw', bytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const timestamp = String(Math.floor(Date.now() / 1000))
  const mac = new Uint8Array(await subtle.sign('HMAC', key, bytes(`${timestamp}.${body}`)))
  const hex = Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return {
    'x-service-signature': `sha256=${hex}`,
    'x-service-timestamp': timestamp,
    'content-type': 'application/json',
  }
}

const callOf = (tool, given, more) =>
  JSON.stringify({
    type: 'tool_call',
    request_id: 'k',
    mode: 'read',
    tool,
    arguments: given,
    is_write: false,
    tenant: { organization_id: 1, scope_id: null },
    user: { id: null, role: 'api' },
    customer: null,
    occurred_at: '2026-11-21T09:30:00.000Z',
    ...more,
  })

async function receives(name, post) {
  let performed = 0
  const say = async (body, headers) => {
    const answer = await post(body, headers ?? (await signed(body)))
    return [answer.status, await answer.text()]
  }
  const claims = name === 'sqlite' ? sqliteClaims(await database()) : memoryClaims()
  const tools = receiver({
    secret,
    claims,
    tools: {
      get_order: ({ arguments: { number } }) => (number === 'ა-1' ? { number } : notFound('There is none.')),
      refund_order: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return { times: ++performed }
      },
    },
  })
  await post.mount(tools)
  same(await say(callOf('get_order', { number: 'ა-1' })), [200, '{"number":"ა-1"}'])
  same(await say(callOf('get_order', {})), [404, '{"status":"not_found","message":"There is none."}'])
  same((await say(callOf('get_order', {}), {}))[0], 401)
  const write = callOf('refund_order', {}, { is_write: true, mode: 'execute' })
  const answers = await Promise.all(Array.from({ length: 8 }, () => say(write)))
  same([...new Set(answers.filter(([status]) => status !== 409).map(String))], ['200,{"times":1}'])
  same(await say(write), [200, '{"times":1}'])
  await post.close?.()
}

/** Whichever this runtime has. */
async function database() {
  if (globalThis.Bun !== undefined) return new (await import('bun:sqlite')).Database(':memory:')
  return new (await import('node:sqlite')).DatabaseSync(':memory:')
}

function byFetch() {
  let handle
  const post = (body, headers) => handle(new Request('https://shop.example/tools', { method: 'POST', body, headers }))
  return Object.assign(post, { mount: (tools) => (handle = tools.fetch) })
}

function byNode() {
  let server
  const post = (body, headers) => fetch(`http://127.0.0.1:${server.address().port}`, { method: 'POST', body, headers })
  return Object.assign(post, {
    mount: async (tools) => {
      const { createServer } = await import('node:http')
      server = createServer(tools.node)
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    },
    close() {
      server.closeAllConnections?.()
      return new Promise((resolve) => server.close(resolve))
    },
  })
}

async function asks() {
  const sent = []
  const answers = []
  const json = (status, body, headers = {}) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
  const tether = client({
    url: 'https://assistant.example/',
    key: `tth_${'a'.repeat(48)}`,
    fetch: async (url, init) => {
      sent.push([init.method, url, init.body])
      const answer = answers.shift()
      if (answer === undefined) throw new TypeError('fetch failed')
      return answer
    },
  })
  answers.push(
    json(429, { error: { code: 'rate_limited', message: 'Not now.' } }, { 'retry-after': '0' }),
    json(200, { tenantId: 7 }),
  )
  same(await tether.request('GET /v1/account'), { tenantId: 7 })
  same(sent[1], ['GET', 'https://assistant.example/v1/account', undefined])
  answers.push(
    json(403, { error: { code: 'insufficient_scope', message: 'No.', reason: 'r' } }, { 'x-request-id': 'req_1' }),
  )
  const error = await tether.request('GET /v1/account').catch((thrown) => thrown)
  same(
    [error instanceof TetherError, error.code, error.reason, error.requestId],
    [true, 'insufficient_scope', 'r', 'req_1'],
  )
  const stream = (...frames) =>
    new Response(frames.map((frame, place) => `id: ${place + 1}\ndata: ${JSON.stringify(frame)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    })
  answers.push(
    stream({ type: 'start', requestId: 'req_2', sessionId: 's' }),
    stream({ type: 'delta', text: 'ქ' }, { type: 'complete' }),
  )
  const types = []
  for await (const { type } of tether.stream({ prompt: 'Hi' })) types.push(type)
  same(types, ['start', 'delta', 'complete'])
  same(JSON.parse(sent.at(-1)[2]), { requestId: 'req_2' })
  answers.push(json(200, { status: 'Executed', actionId: 'a', errorCode: null }))
  same((await tether.confirm('a', { userId: 7 })).status, 'Executed')
}

/** Not every runtime may listen on a port of its own. */
export async function holds({ mayListen = true } = {}) {
  held = 0
  const token = await mintCustomerToken({ key: `tck_${'a'.repeat(48)}`, tenantId: 1, customerId: 'c' })
  same(token.split('.').length, 3)
  same((await verifySignature({ secret, headers: await signed('{}'), body: '{}' })).ok, true)
  await receives('memory', byFetch())
  if (mayListen) await receives('memory', byNode())
  const hasSqlite = await database().then(
    () => true,
    () => false,
  )
  if (hasSqlite) await receives('sqlite', byFetch())
  await asks()
  return `${held} held${hasSqlite ? '' : ', without SQLite, which is not in this runtime'}`
}
