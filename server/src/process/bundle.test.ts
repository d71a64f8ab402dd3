// What production runs (`npm run build`), in a folder that has nothing of the repository beside it: every file that is read and
// every library that is loaded late is there, and is the same as from the sources.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { builtService } from '../../testkit/built-service.ts'
import { type MailSink, openMailSink } from '../../testkit/mail-sink.ts'
import { openRunningDemo, type RunningDemo } from '../../testkit/running-demo.ts'
import { everyRoute } from '../all-routes.ts'
import { demoRoutes } from '../api/demo/index.ts'
import type { openModel } from '../kernel/model/index.ts'
import { McpServer, words } from '../modules/upstreams/fixtures/mcp-server.ts'

const folder = await builtService({ model: 'server/src/kernel/model/index.ts' })
const operatorKey = 'operator-of-the-bundle'.padEnd(40, '-')

let demo: RunningDemo
let sink: MailSink
let redis: Listener
before(async () => {
  sink = await openMailSink()
  redis = await openListener()
  const settings = {
    Operator__ApiKey: operatorKey,
    Redis__Url: `redis://127.0.0.1:${redis.port}`,
    Mail__Transport: 'smtp',
    Mail__From: 'no-reply@example.com',
    Mail__Smtp__Host: '127.0.0.1',
    Mail__Smtp__Port: String(sink.port),
    Mail__Smtp__Security: 'none',
    Signup__VerifyEmail: 'true',
    Signup__VerifyUrl: 'http://127.0.0.1/account/confirm',
  }
  demo = await openRunningDemo(settings, folder)
})
after(async () => {
  redis.close()
  await sink.close()
  // Last, because a bundle that does not start has no demo, and then this fails.
  await demo.close()
})

test('nothing of the tests is in it', () => {
  const maps = globSync('server/**/*.map', { cwd: folder })
  const sources = maps.flatMap((map) => {
    const said = JSON.parse(readFileSync(join(folder, map), 'utf8')) as { sources: string[] }
    return said.sources
  })
  assert.ok(sources.length > 500, `${sources.length}`)
  const files = globSync('**/*', { cwd: folder, exclude: ['node_modules/**'] })
  const odd = [...sources, ...files].filter((name) =>
    /\.(test|proof|browser)\.|(^|\/)(testkit|proofs|fixtures|bench)\//.test(name),
  )
  assert.deepEqual(odd, [])
})

test('every page that anybody may open is there', async () => {
  const all = [...everyRoute({ version: '', url: '' }), ...demoRoutes(() => undefined)]
  const pages = all.filter(
    // What is live is for those who are signed in, a logo is there once a site with one was read, and code is not in a bundle.
    ({ method, reach, path }) =>
      method === 'GET' && reach.who === 'anyone' && !/:|\/live$|\/logo$|\/source$/.test(path),
  )
  assert.ok(pages.length > 10)
  for (const { path } of pages) {
    const { status, text } = await ask('GET', path, { headers: { accept: 'text/html, */*' } })
    assert.equal(status, 200, `${path}: ${text}`)
  }
  const { text } = await ask('GET', '/docs/security', { headers: { accept: 'text/html' } })
  assert.match(text, /<a href="operations/, 'pages are linked')
  assert.doesNotMatch(text, /source\?file=/, 'and code that is not here is not')
})

test('what is loaded late is there: Redis, the figures, the disposable domains, mail, the reader of pages', async () => {
  assert.match(redis.heard(), /EVALSHA/)
  const figures = await ask('GET', '/v1/operator/metrics', { key: operatorKey })
  assert.match(figures.text, /^tether_http_request_seconds_count\{.*\} \d+$/m)
  const signUp = (email: string) => ask('POST', '/v1/signup', { body: { email, name: 'Shop' } })
  assert.match((await signUp('ana@mailinator.com')).text, /disposable_email/)
  assert.equal((await signUp('ana@shop.example')).status, 200)
  assert.deepEqual((await sink.received(1))[0]?.to, ['ana@shop.example'])
  const looked = await ask('POST', '/v1/embed/check', { key: await demo.issueKey(), body: { url: `${demo.url}/demo` } })
  assert.deepEqual((looked.body.snippet as { element?: boolean } | undefined)?.element, true, looked.text)
})

test('a write is staged, confirmed, executed and read back', async () => {
  const url = `/v1/actions/${await demo.stage('refund_order', { number: 'A-17' })}/confirm`
  const headers = { 'x-service-user-id': '1' }
  const done = await ask('POST', url, { key: await demo.issueKey(), headers, body: { acknowledgeHighRisk: true } })
  assert.deepEqual([done.status, done.body.status], [200, 'Executed'], done.text)
})

test('the token of a customer is checked', async () => {
  const [key = ''] = /tpk_\w+/.exec((await ask('GET', '/demo')).text) ?? []
  const token = (await ask('GET', '/demo/customer-token')).text
  const say = (customer: string) => {
    const headers = { origin: demo.url, 'x-service-customer-token': customer }
    return ask('POST', '/v1/chat', { key, headers, body: { prompt: 'Where is order A-17?', language: 'en' } })
  }
  assert.equal((await say(token)).status, 200)
  assert.equal((await say(`${token.slice(0, -4)}AAAA`)).status, 401)
})

test('an agent is answered, and an MCP server is called', async () => {
  const remote = new McpServer([
    { name: 'greet', description: 'Greets whoever asks for it.', answer: () => words('hi') },
  ])
  try {
    const { body } = await ask('POST', '/v1/tenants', { key: operatorKey, body: { name: 'Shop with a server' } })
    const key = String(body.apiKey)
    const declared = { url: await remote.start(), is_write: { greet: false } }
    const { status, text } = await ask('PUT', '/v1/upstreams/other', { key, body: declared })
    assert.equal(status, 200, text)
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'other_greet' } }
    const answer = await ask('POST', '/mcp', { key, body: message })
    assert.deepEqual(answer.body.result, { content: [{ type: 'text', text: 'hi' }] }, answer.text)
  } finally {
    await remote.stop()
  }
})

type Asked = { readonly key?: string; readonly body?: object; readonly headers?: Readonly<Record<string, string>> }

async function ask(method: string, path: string, { key, body, headers }: Asked = {}) {
  const answer = await fetch(`${demo.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  // What it holds is the claim of the line that reads it.
  return { status: answer.status, text, body: (isJson ? JSON.parse(text) : {}) as Record<string, unknown> }
}

type Listener = { readonly port: number; heard(): string; close(): void }

/** Hears what is said to it, and hangs up. */
async function openListener(): Promise<Listener> {
  let heard = ''
  const server = net.createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', (bytes) => {
        heard += bytes.toString('latin1')
        socket.destroy()
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, heard: () => heard, close: () => void server.close() }
}

test('every kind of provider is asked in its own way', async (t) => {
  const asked: string[] = []
  const provider = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(503).end()
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  t.after(() => provider.close())
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const built = (await import(join(folder, 'server/model.mjs'))) as { openModel: typeof openModel }
  for (const kind of ['openai-compatible', 'openai', 'anthropic', 'google'] as const) {
    const settings = { kind, baseUrl, apiKey: 'x', timeoutSeconds: 5, silenceSeconds: 5 }
    const model = built.openModel(settings, Date.now)
    const request = {
      model: 'small',
      messages: [{ role: 'user', text: 'Hello' }],
      tools: [],
      maxOutputTokens: 1,
    } as const
    await assert.rejects(async () => {
      for await (const _ of model.stream(request, new AbortController().signal));
    }, /503|unavailable|overloaded/i)
    await model.close()
  }
  assert.deepEqual(
    asked.map((url) => /[^/]+$/.exec(url.split('?')[0] ?? '')?.[0]),
    ['completions', 'completions', 'messages', 'small:streamGenerateContent'],
  )
})

test('its profiles are its own', () => {
  const env = { PATH: process.env.PATH, Environment: 'Production' }
  const { stdout } = spawnSync(process.execPath, ['server/start.mjs', 'settings'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  assert.match(stdout, /\(config\/production\.json\)/)
})

test('the commands of the bundle are those of the repository, and what it carries has its license with it', () => {
  const scripts = (file: string) =>
    (JSON.parse(readFileSync(file, 'utf8')) as { scripts: Record<string, string> }).scripts
  const own = scripts(join(folder, 'package.json'))
  const all = scripts(join(import.meta.dirname, '../../../package.json'))
  assert.deepEqual(Object.keys(own), [
    'start',
    'work',
    'migrate',
    'settings',
    'rotate-encryption',
    'audit:archive',
    'recover',
    'audit:verify',
  ])
  for (const [name, command] of Object.entries(own)) assert.equal(command, all[name])
  const notices = readFileSync(join(folder, 'THIRD-PARTY.txt'), 'utf8')
  for (const name of ['fastify', 'zod', 'undici', 'pg', '@redis/client'])
    assert.match(notices, new RegExp(`^${name} \\d`, 'm'))
})
