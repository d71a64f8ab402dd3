// The bridges of docs/handoff.md, as they stand there, carry a conversation to a helpdesk and back.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { freePort } from '../../../../scripts/free-port.ts'
import { playedModel } from '../../../testkit/played-model.ts'
import { openScene } from './fixtures/shop.ts'

const ROOT = path.join(import.meta.dirname, '../../../..')
const BLOCKS = [...readFileSync(path.join(ROOT, 'docs/handoff.md'), 'utf8').matchAll(/```js\n([\s\S]+?)```/g)].map(
  ([, code = '']) => code,
)

function replaced(code: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), from)
    return text.replaceAll(from, to)
  }, code)
}

/** What a helpdesk holds, as far as the bridge can tell. */
type Helpdesk = {
  readonly heading: string
  readonly settings: (url: string) => Record<string, string>
  /** Answers a request of the bridge. */
  readonly answer: (asked: Asked) => unknown
  /** Everything that the visitor said, in order. */
  readonly words: () => string[]
  readonly answered: (session: string) => object
  readonly closed: (session: string) => object
}
type Asked = { readonly method: string; readonly path: string; readonly body: Record<string, unknown> }

function chatwoot(): Helpdesk {
  const open = new Map<string, string[]>()
  return {
    heading: '/public/api/v1/inboxes/',
    settings: (url) => ({ CHATWOOT_URL: url, CHATWOOT_INBOX: 'box' }),
    answer({ method, path: asked, body }) {
      const [, session = '', messages] =
        /^\/public\/api\/v1\/inboxes\/box\/contacts(?:\/([^/]+)\/conversations(\/1\/messages)?)?$/.exec(asked) ??
        assert.fail(asked)
      if (session === '') return { source_id: body.source_id, name: body.name }
      if (messages !== undefined) return { id: open.get(session)?.push(String(body.content)) }
      if (method === 'POST') open.set(session, [])
      return method === 'POST' ? { id: 1 } : open.has(session) ? [{ id: 1 }] : []
    },
    words: () => [...open.values()].flat(),
    answered: (session) => ({
      event: 'message_created',
      id: 7,
      content: 'I am Nino',
      message_type: 'outgoing',
      private: false,
      conversation: { contact_inbox: { source_id: session } },
    }),
    closed: (session) => ({
      event: 'conversation_status_changed',
      status: 'resolved',
      contact_inbox: { source_id: session },
    }),
  }
}

function zendesk(): Helpdesk {
  const tickets: { id: number; external_id: unknown; words: string[] }[] = []
  return {
    heading: '/api/v2/',
    settings: (url) => ({ ZENDESK_URL: url, ZENDESK_MAIL: 'ana@shop.example', ZENDESK_TOKEN: 'token' }),
    answer({ method, path: asked, body }) {
      const { ticket } = body as { ticket?: { external_id?: unknown; comment: { body: string } } }
      const words = ticket?.comment.body ?? ''
      if (method === 'GET') {
        const session = new URL(asked, 'http://any').searchParams.get('external_id')
        return { tickets: tickets.filter(({ external_id: id }) => id === session) }
      }
      if (method === 'POST') tickets.push({ id: 4, external_id: ticket?.external_id, words: [words] })
      else tickets.find(({ id }) => asked === `/api/v2/tickets/${id}.json`)?.words.push(words)
      return {}
    },
    words: () => tickets.flatMap(({ words }) => words),
    answered: (session) => ({ session, id: '4/2026', text: 'I am Nino', status: 'Open' }),
    closed: (session) => ({ session, id: '4/2027', text: 'I am Nino', status: 'Solved' }),
  }
}

async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return pieces.length === 0 ? {} : (JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>)
}

/** A server that stands in for the helpdesk. */
async function listen(t: TestContext, desk: Helpdesk): Promise<string> {
  const server = createServer(async (request, response) => {
    const asked = { method: request.method ?? '', path: request.url ?? '', body: await read(request) }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(desk.answer(asked)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The two servers of the page, in a process of their own. */
async function startBridge(t: TestContext, desk: Helpdesk, env: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-bridge-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [events, webhook] = [await freePort(), await freePort()]
  const [bridge = '', ...desks] = BLOCKS
  const code = replaced(bridge, [
    ['postgresClaims(pool)', 'memoryClaims()'],
    ['postgresClaims', 'memoryClaims'],
    ['.listen(3001)', `.listen(${events}, '127.0.0.1')`],
    ['.listen(3002)', `.listen(${webhook}, '127.0.0.1', () => console.log('listening'))`],
  ])
  writeFileSync(path.join(folder, 'bridge.mjs'), code)
  writeFileSync(path.join(folder, 'helpdesk.mjs'), desks.find((one) => one.includes(desk.heading)) ?? assert.fail())
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  return {
    events: `http://127.0.0.1:${events}/`,
    webhook: `http://127.0.0.1:${webhook}/`,
    async start(more: Record<string, string>) {
      const child = spawn(process.execPath, [path.join(folder, 'bridge.mjs')], {
        env: { PATH: process.env.PATH, ...env, ...more },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      t.after(() => child.kill())
      for await (const piece of child.stdout) if (String(piece).includes('listening')) return
      assert.fail('the bridge ended before it listened')
    },
  }
}

type Whole = {
  takenOver: boolean
  turns: { prompt: string; takenOver: boolean }[]
  messages: { text: string }[]
}

for (const [name, open] of Object.entries({ chatwoot, zendesk })) {
  test(`${name}: a handoff opens it, the visitor’s words and the agent’s go over and back, and closing it gives back`, async (t) => {
    const handoff = { call: 'tether_handoff', with: { reason: 'Asks for a person', summary: 'Late parcel' } }
    const model = playedModel([handoff], ['A person will write.'])
    // The bridge asks two servers before it answers, and what it answers too late is sent again.
    const scene = await openScene(t, { model, settings: { 'Events:AnswerSeconds': '60' } })
    const desk = open()
    const bridge = await startBridge(t, desk, desk.settings(await listen(t, desk)))
    const { apiKey: key, signingSecret } = await scene.shop(bridge.events)
    const url = await scene.house.app.server.listen({ host: '127.0.0.1', port: 0 })
    await bridge.start({ TETHER_BASE_URL: url, TETHER_API_KEY: key, TETHER_SIGNING_SECRET: signingSecret })
    const say = async (prompt: string, sessionId?: string): Promise<string> => {
      const body = { prompt, ...(sessionId !== undefined && { sessionId }) }
      const answer = await scene.house.ask<{ sessionId: string }>('POST', '/v1/chat', { key, body })
      await scene.deliver()
      return answer.body.sessionId
    }
    const session = await say('A person please')
    assert.equal(desk.words().length, 1)
    assert.match(desk.words()[0] ?? '', /Asks for a person\nLate parcel\n\nA person please/)
    await say('Is anybody there?', session)
    assert.deepEqual(desk.words().slice(1), ['Is anybody there?'])

    const bring = async (body: object) => {
      const { status } = await fetch(bridge.webhook, { method: 'POST', body: JSON.stringify(body) })
      assert.equal(status, 204)
    }
    // A helpdesk that got no answer sends it again.
    for (let times = 0; times < 2; times++) await bring(desk.answered(session))
    const whole = async () => (await scene.house.ask<Whole>('GET', `/v1/conversations/${session}`, { key })).body
    const { takenOver, turns, messages } = await whole()
    assert.deepEqual([takenOver, messages.map(({ text }) => text)], [true, ['I am Nino']])
    assert.deepEqual(
      turns.map(({ prompt, takenOver: silent }) => [prompt, silent]),
      [
        ['A person please', false],
        ['Is anybody there?', true],
      ],
    )
    await bring(desk.closed(session))
    assert.equal((await whole()).takenOver, false)
  })
}
