import { isObject, type JsonObject, member, parseJsonBytes } from '../../../kernel/json/index.ts'
import type { House } from '../../../tenancy/context/index.ts'
import type { Connection } from '../driver.ts'

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

const WITHIN_MS = 8_000
const MOST_BYTES = 1024 * 1024
const AWAY_SECONDS = 15
const LONGEST_PAUSE_SECONDS = 600

/** Slack’s own troubles, which pass. */
const PASSING: ReadonlySet<string> = new Set([
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
])

export async function callSlack(
  { egress, settings }: Pick<House, 'egress' | 'settings'>,
  { tenantId, secrets }: Caller,
  { method, as, args }: SlackCall,
): Promise<SlackAnswer> {
  const result = await egress.request({
    purpose: 'notice',
    share: tenantId,
    url: `${settings.notifications.slack.apiUrl}/${method}`,
    method: 'POST',
    headers: {
      authorization: `Bearer ${secrets.botToken}`,
      'content-type': as === 'json' ? 'application/json; charset=utf-8' : 'application/x-www-form-urlencoded',
    },
    body: as === 'json' ? JSON.stringify(args) : new URLSearchParams(textsOf(args)).toString(),
    deadlineMs: WITHIN_MS,
    maxBytes: MOST_BYTES,
    credentialed: true,
  })
  if (result.kind !== 'answer') return away('unreachable', null)
  if (result.status === 429) return away('ratelimited', result.headers['retry-after'])
  const body = bodyOf(result.body)
  if (result.status >= 500 || body === null) return away('unreachable', null)
  if (member(body, 'ok') === true) return { ok: true, body }
  const fault = textIn(body, 'error') ?? 'unreachable'
  return PASSING.has(fault) || fault === 'unreachable' ? away(fault, null) : { ok: false, fault, pauseSeconds: null }
}

const textsOf = (args: SlackCall['args']) =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]))

function away(fault: string, retryAfter: unknown): SlackAnswer {
  const asked = Number(retryAfter ?? AWAY_SECONDS)
  const seconds = Number.isFinite(asked) && asked > 0 ? Math.min(asked, LONGEST_PAUSE_SECONDS) : AWAY_SECONDS
  return { ok: false, fault, pauseSeconds: seconds }
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
