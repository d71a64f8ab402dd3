// Every line under "Try it" in the reference, run as it stands there: in a shell, by curl, against a service that listens.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { promisify } from 'node:util'
import type { ErrorCode } from '@tether/contract'
import { answerCheck } from '../testkit/answer-check.ts'
import { type OpenHouse, openHouse } from '../testkit/house.ts'
import type { OpenApiDocument } from './api/reference/index.ts'
import { statement } from './kernel/db/index.ts'
import { openSlackServer } from './modules/channels/fixtures/slack-server.ts'
import { sandboxKey } from './modules/previews/fixtures/sandbox-key.ts'
import { MODULES } from './modules.ts'
import { newSessionToken } from './tenancy/access/index.ts'

const hasCurl = spawnSync('curl', ['--version']).status === 0
const run = promisify(execFile)

const UNENTITY: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const plain = (html: string) => html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => UNENTITY[name] ?? '')

type Line = { readonly method: string; readonly path: string; readonly command: string }

const linesOf = (page: string): Line[] =>
  [...page.matchAll(/<article id="[^"]+">([\s\S]*?)<\/article>/g)].map(([, article = '']) => {
    const [, method = '', path = ''] = /<span class="method \w+">(\w+)<\/span> <code>([^<]+)</.exec(article) ?? []
    const [, command = ''] = /<h4>Try it<\/h4><pre><code>([\s\S]*?)<\/code>/.exec(article) ?? []
    return { method, path: plain(path), command: plain(command) }
  })

/** A service at its own public address, as a deployment has it. */
async function listeningHouse(slackUrl: string): Promise<OpenHouse> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const house = await openHouse({
    modules: MODULES,
    settings: {
      'Http:PublicUrl': `http://127.0.0.1:${port}`,
      'Signup:Enabled': 'true',
      'Mail:Transport': 'console',
      'Notifications:Slack:ApiUrl': slackUrl,
    },
  })
  await house.app.server.listen({ host: '127.0.0.1', port })
  return house
}

const letIn = statement<unknown, { tenantId: number }>(
  'test.let_in',
  `update tenants set origins = '{https://shop.example.com}' where tenant_id = $tenantId::int`,
)
const signIn = statement<unknown, { tenantId: number; hash: Buffer; personId: number }>(
  'test.sign_in',
  `insert into user_sessions (tenant_id, hash, person_id, expires_at)
   values ($tenantId::int, $hash::bytea, $personId::bigint, now() + interval '1 hour')`,
)

/** The line itself would be at fault. That its example names nothing of this workspace is no fault. */
const WRONG: ReadonlySet<unknown> = new Set([
  'insufficient_scope',
  'invalid_api_key',
  'invalid_request',
  'invalid_user_session',
  'missing_api_key',
  'origin_not_allowed',
  'unsupported_media_type',
] satisfies ErrorCode[])

/** The key of the workspace's own server, unless only another kind reaches the route. */
async function keyFor(house: OpenHouse, tenantId: number, own: string, reach: readonly string[]): Promise<string> {
  if (reach.some((kind) => kind.startsWith('secret'))) return own
  if (reach.includes('publishable')) return await house.key(tenantId, 'publishable')
  if (reach.includes('sandbox')) return await sandboxKey(house, tenantId)
  if (!reach.includes('provider')) return own
  const granted = await house.ask<{ key: string }>('POST', `/v1/tenants/${tenantId}/provider`, {
    key: house.operatorKey,
  })
  return granted.body.key
}

/** A workspace of its own for each line, because some of them delete it. */
async function keysFor(house: OpenHouse, reach: readonly string[]) {
  const { tenantId, apiKey } = await house.tenant()
  const { database } = house.database
  await database.run(letIn, { tenantId })
  const key = await keyFor(house, tenantId, apiKey, reach)
  const people = [{ userId: 7, displayName: 'Ana', role: 'manager' }]
  await house.ask('PUT', '/v1/users', { key: apiKey, body: people })
  const { body } = await house.ask<{ users: { id: number }[] }>('GET', '/v1/users', { key: apiKey })
  const { token: SESSION, hash } = newSessionToken()
  await database.run(signIn, { tenantId, hash, personId: body.users[0]?.id ?? 0 })
  return { TETHER_API_KEY: key, SESSION, OPERATOR_KEY: house.operatorKey }
}

test('every line of the reference runs when it is pasted', {
  skip: hasCurl ? false : 'there is no curl',
}, async (t) => {
  const slack = await openSlackServer()
  t.after(() => slack.close())
  await using house = await listeningHouse(slack.url)
  const check = answerCheck(house.app.routes)
  const { paths } = (await house.ask<OpenApiDocument>('GET', '/openapi')).body
  const lines = linesOf((await house.ask('GET', '/swagger')).text)
  assert.ok(lines.length > 90, `${lines.length}`)
  const odd: string[] = []
  for (const line of lines) {
    const { method, path, command } = line
    const declared = paths[path]?.[method.toLowerCase()] ?? assert.fail(`${method} ${path}`)
    const keys = await keysFor(house, declared['x-reach'])
    const env = { PATH: process.env.PATH, ...keys }
    // What is tested has to be set, and Slack takes no token of an example.
    if (path === '/v1/notifications/slack/test') {
      const body = { botToken: slack.token, signingSecret: slack.secret, channel: 'C0APPROVALS' }
      await house.ask('PUT', '/v1/notifications/slack', { key: keys.TETHER_API_KEY, body })
    }
    const setting = lines.find((one) => one.method === 'PUT' && `${one.path}/test` === path)
    if (setting !== undefined && setting.path !== '/v1/notifications/slack')
      await run('sh', ['-c', setting.command], { env })
    const { stdout } = await run('sh', ['-c', command.replace(/^curl/, "curl -sS -w '\n%{http_code}'")], { env })
    const [, text = '', code = ''] = /^([\s\S]*)\n(\d+)$/.exec(stdout) ?? []
    const status = Number(code)
    const body = /^[[{]/.test(text) ? JSON.parse(text) : undefined
    check(method, path.replace(/\{\w+\}/g, 'x'), status, body)
    assert.ok(declared.responses[code], `${method} ${path} does not declare ${code}`)
    if (status >= 500 || WRONG.has(body?.error?.code)) odd.push(`${method} ${path} ${status} ${text}`)
  }
  assert.deepEqual(odd, [])
})

test('the variables of those lines are the ones that a sign-up sets, and the page says whose the others are', async () => {
  await using house = await openHouse({ modules: MODULES, settings: { 'Signup:Enabled': 'true' } })
  const { body } = await house.ask<{ exportLines: string[] }>('POST', '/v1/signup', {
    body: { email: 'shop@example.com', name: 'My shop' },
  })
  const set = body.exportLines.map((line) => /^export (\w+)=/.exec(line)?.[1])
  const page = (await house.ask('GET', '/swagger')).text
  const used = new Set(linesOf(page).flatMap(({ command }) => command.match(/(?<=\$)\w+/g) ?? []))
  assert.ok(used.has('TETHER_API_KEY'), [...used].join())
  const [, header = ''] = /<header>([\s\S]*?)<\/header>/.exec(page) ?? []
  for (const name of used) {
    if (!set.includes(name)) assert.ok(header.includes(`$${name}`), name)
  }
})
