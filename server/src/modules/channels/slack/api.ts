import { isObject, type JsonObject, member, parseJsonBytes } from '../../../kernel/json/index.ts'
import type { House } from '../../../tenancy/context/index.ts'
import type { Connection } from '../driver.ts'
import { AWAY_SECONDS, postToChannel } from '../transport.ts'

// Slack's methods, at the address of the operator. What it answers is read, and nothing else of it is believed.

export type SlackSecrets = { readonly botToken: string; readonly signingSecret: string }
/** A workspace as Slack's methods know it. */
type Caller = Pick<Connection<Pick<SlackSecrets, 'botToken'>>, 'tenantId' | 'secrets'>

type SlackCall = {
  readonly method: string
  /** Methods that read take a form only. */
  readonly as: 'json' | 'form'
  readonly args: Readonly<Record<string, string | boolean | object>>
}

export type SlackAnswer =
  | { readonly ok: true; readonly body: JsonObject }
  | {
      readonly ok: false
      /** Slack's own word, or `unreachable`. */
      readonly fault: string
      /** How long to wait before anything else is tried; null where Slack has said no and waiting is no help. */
      readonly pauseSeconds: number | null
    }

const DEADLINE_MS = 8_000
const MAX_ANSWER_BYTES = 1024 * 1024

/** Slack’s own troubles, which pass. */
const PASSING: ReadonlySet<string> = new Set([
  'unreachable',
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
])

export async function callSlack(
  house: Pick<House, 'egress' | 'settings'>,
  { tenantId, secrets }: Caller,
  { method, as, args }: SlackCall,
): Promise<SlackAnswer> {
  const texts = Object.entries(args).map<[string, string]>(([name, value]) => [name, String(value)])
  const answer = await postToChannel(house, {
    tenantId,
    url: `${house.settings.notifications.slack.apiUrl}/${method}`,
    headers: {
      authorization: `Bearer ${secrets.botToken}`,
      'content-type': as === 'json' ? 'application/json; charset=utf-8' : 'application/x-www-form-urlencoded',
    },
    body: as === 'json' ? JSON.stringify(args) : new URLSearchParams(texts).toString(),
    deadlineMs: DEADLINE_MS,
    maxBytes: MAX_ANSWER_BYTES,
  })
  if (!answer.ok) return answer
  const body = answer.status >= 500 ? null : bodyOf(answer.body)
  if (body !== null && member(body, 'ok') === true) return { ok: true, body }
  const fault = (body === null ? null : textIn(body, 'error')) ?? 'unreachable'
  return { ok: false, fault, pauseSeconds: PASSING.has(fault) ? AWAY_SECONDS : null }
}

function bodyOf(bytes: Buffer): JsonObject | null {
  try {
    const value = parseJsonBytes(bytes)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

export const textIn = (object: JsonObject, name: string): string | null => {
  const value = member(object, name)
  return typeof value === 'string' && value !== '' ? value : null
}

export const objectIn = (object: JsonObject, name: string): JsonObject => {
  const value = member(object, name)
  return isObject(value) ? value : {}
}
