// Slack as the service meets it: the methods that it calls, the messages that stand in its channels, and people who click.
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type SlackMember = {
  readonly email?: string
  readonly team?: string
  readonly more?: Readonly<Record<string, unknown>>
}

type Element = {
  readonly type: string
  readonly action_id?: string
  readonly value?: string
  readonly url?: string
  readonly text?: { readonly text: string }
}
export type Block = {
  readonly type: string
  readonly text?: { readonly text: string }
  readonly fields?: readonly { readonly type: string; readonly text: string }[]
  readonly elements?: readonly Element[]
}
export type SlackMessage = {
  readonly channel: string
  readonly ts: string
  text: string
  blocks: readonly Block[]
  /** How often it was rewritten. */
  edits: number
}

export type Failure =
  | { readonly error: string }
  | { readonly status: number; readonly headers?: Record<string, string> }

export type SignedClick = { readonly raw: string; readonly headers: Record<string, string> }

export type SlackServer = {
  readonly url: string
  readonly team: string
  readonly token: string
  readonly secret: string
  readonly messages: readonly SlackMessage[]
  /** What only one member saw. */
  readonly told: readonly { readonly channel: string; readonly user: string; readonly text: string }[]
  readonly calls: readonly string[]
  member(id: string, who: SlackMember): void
  /** What the next so many calls of a method are answered. */
  fail(method: string, how: Failure, times?: number): void
  click(message: SlackMessage, verb: string, how: Click): SignedClick
  close(): Promise<void>
}

export type Click = {
  readonly by: string
  /** In seconds, unless now. */
  readonly at?: number
  readonly secret?: string
  /** The moment that Slack names of it; each click has its own unless set. */
  readonly actionTs?: string
  readonly team?: string
  readonly channel?: string
  readonly ts?: string
  readonly value?: string
  readonly type?: string
}

/** The id by which the service knows the channel that people call by its name. */
const CHANNEL = 'C0APPROVALS'

type State = {
  readonly team: string
  readonly messages: SlackMessage[]
  readonly told: { readonly channel: string; readonly user: string; readonly text: string }[]
  readonly members: Map<string, SlackMember>
  readonly byTs: Map<string, SlackMessage>
}
type Method = (args: Record<string, unknown>) => Record<string, unknown>

const methodsOf = ({ team, messages, told, members, byTs }: State): Record<string, Method> => ({
  'auth.test': () => ({ team_id: team, user_id: 'U0BOT' }),
  'users.info': ({ user }) => {
    const found = members.get(String(user))
    if (found === undefined) return { ok: false, error: 'user_not_found' }
    const profile = found.email === undefined ? {} : { email: found.email }
    return { user: { id: user, team_id: found.team ?? team, is_email_confirmed: true, profile, ...found.more } }
  },
  'chat.postMessage': ({ text, blocks }) => {
    const ts = `${1_700_000_000 + messages.length}.000100`
    const message = { channel: CHANNEL, ts, text: String(text), blocks: blocks as Block[], edits: 0 }
    messages.push(message)
    byTs.set(ts, message)
    return { channel: CHANNEL, ts }
  },
  'chat.update': ({ channel, ts, text, blocks }) => {
    const message = byTs.get(String(ts))
    if (message === undefined || message.channel !== channel) return { ok: false, error: 'message_not_found' }
    Object.assign(message, { text, blocks, edits: message.edits + 1 })
    return { channel, ts }
  },
  'chat.postEphemeral': ({ channel, user, text }) => {
    told.push({ channel: String(channel), user: String(user), text: String(text) })
    return { message_ts: '1.0' }
  },
})

type Failures = Map<string, { readonly how: Failure; left: number }>

const failureOf = (failures: Failures, method: string): Failure | undefined => {
  const failure = failures.get(method)
  return failure !== undefined && failure.left-- > 0 ? failure.how : undefined
}

const argsIn = (type: string | undefined, sent: string): Record<string, unknown> =>
  type === 'application/x-www-form-urlencoded' ? Object.fromEntries(new URLSearchParams(sent)) : JSON.parse(sent)

export async function openSlackServer({
  team = 'T0SHOP',
  token = 'xoxb-of-the-shop',
  secret = 'secret-of-the-app',
} = {}): Promise<SlackServer> {
  const state: State = { team, messages: [], told: [], members: new Map(), byTs: new Map() }
  const calls: string[] = []
  const failures: Failures = new Map()
  const methods = methodsOf(state)
  const server = createServer(async (request, response) => {
    const sent = Buffer.concat(await request.toArray()).toString()
    const method = request.url?.split('/').at(-1) ?? ''
    calls.push(method)
    const failure = failureOf(failures, method)
    if (failure !== undefined && 'status' in failure)
      return void response.writeHead(failure.status, failure.headers).end('')
    const isKnown = request.headers.authorization === `Bearer ${token}`
    const answer = failure ?? (isKnown ? undefined : { error: 'invalid_auth' })
    const body =
      answer === undefined
        ? { ok: true, ...methods[method]?.(argsIn(request.headers['content-type'], sent)) }
        : { ok: false, ...answer }
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    token,
    secret,
    calls,
    member: (id, who) => void state.members.set(id, who),
    fail: (method, how, times = 1) => void failures.set(method, { how, left: times }),
    click: (message, verb, how) =>
      signed(payloadOf(state, message, verb, how), how.secret ?? secret, how.at ?? Math.floor(Date.now() / 1000)),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let clicks = 0

function payloadOf({ team, members }: State, message: SlackMessage, verb: string, how: Click): string {
  const value = how.value ?? buttonOf(message, verb)?.value ?? buttonOf(message, 'reject')?.value
  const payload = {
    type: how.type ?? 'block_actions',
    user: { id: how.by, username: how.by, team_id: how.team ?? members.get(how.by)?.team ?? team },
    team: { id: team, domain: 'shop' },
    channel: { id: how.channel ?? message.channel, name: 'approvals' },
    container: { type: 'message', message_ts: how.ts ?? message.ts, channel_id: message.channel },
    actions: [{ action_id: verb, type: 'button', value, action_ts: how.actionTs ?? `${Date.now()}.${++clicks}` }],
  }
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
}

export function signed(raw: string, secret: string, at: number): SignedClick {
  const signature = createHmac('sha256', secret).update(`v0:${at}:${raw}`).digest('hex')
  const type = 'application/x-www-form-urlencoded'
  return {
    raw,
    headers: { 'content-type': type, 'x-slack-request-timestamp': `${at}`, 'x-slack-signature': `v0=${signature}` },
  }
}

/** The button of a message that does this; undefined where it has none. */
export const buttonOf = ({ blocks }: Pick<SlackMessage, 'blocks'>, verb: string): Element | undefined =>
  blocks
    .filter(({ type }) => type === 'actions')
    .flatMap(({ elements = [] }) => elements)
    .find(({ action_id }) => action_id === verb)

/** Every word of a message, as JSON. */
export const wordsOf = ({ blocks }: Pick<SlackMessage, 'blocks'>): string => JSON.stringify(blocks)
