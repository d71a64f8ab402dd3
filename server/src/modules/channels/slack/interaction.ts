// What Slack sends when somebody clicks: proved, read, written down once, and answered before anything is decided.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { equalBytes, hmacSha256, sha256Hex } from '../../../kernel/crypto/index.ts'
import { refuse } from '../../../kernel/http/index.ts'
import type { ProveSigned } from '../../../tenancy/access/index.ts'
import type { AnyoneAsking, Context } from '../../../tenancy/context/index.ts'
import type { Clicked, Verb } from '../click-queries.ts'
import type { ClickRequest, ProvenClick } from '../driver.ts'
import { type ChannelRow, findChannel } from '../queries.ts'
import { openConnection, secretUnreadable } from '../secrets.ts'
import type { SlackSecrets } from './api.ts'
import { readButton } from './blocks.ts'

const Id = z.string().min(1).max(100)
const Payload = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: Id, team_id: Id.optional() }),
  team: z.object({ id: Id }).nullish(),
  channel: z.object({ id: Id }),
  container: z.object({ message_ts: Id }),
  actions: z.tuple([z.object({ action_id: z.string(), action_ts: Id, value: z.string().optional() })]),
})

/** The click, proved to be of the app of this workspace; null where it is no click on a button that decides. */
export async function readClick(
  ctx: Context<AnyoneAsking>,
  prove: ProveSigned,
  { tenantId: asked, bytes, head }: ClickRequest,
): Promise<ProvenClick> {
  const tenantId = /^[1-9]\d{0,9}$/.test(asked) ? Number(asked) : 0
  const signature = signatureIn(head.valuesOf)
  const isLate = signature === null || !isTimely(signature, ctx.clock.now())
  let isUnreadable = false
  const isProven = await prove({ tenantId, address: ctx.asking.address }, 'runtime', async () => {
    if (isLate) return false
    const row = await ctx.db.one(findChannel, { tenantId: idOf(tenantId), kind: 'slack' })
    const secret = secretOf(ctx, tenantId, row)
    isUnreadable = secret === null
    return secret !== null && proves(signature, secret, bytes)
  })
  if (isProven) return { tenantId, clicked: clickIn(bytes) }
  if (isUnreadable) throw secretUnreadable('Slack')
  throw refuse(
    'invalid_signature',
    'This request is not signed by the Slack app of this workspace, or its signature is more than five minutes old. Nothing was decided.',
  )
}

/** Slack asks for no more. */
const WINDOW_SECONDS = 300

type SlackSignature = { readonly timestamp: string; readonly signature: string }

/** Null unless both headers are there, once, and of their form. */
function signatureIn(valuesOf: (header: string) => readonly string[]): SlackSignature | null {
  const [timestamp, ...otherTimes] = valuesOf('x-slack-request-timestamp')
  const [signature, ...others] = valuesOf('x-slack-signature')
  if (timestamp === undefined || signature === undefined || otherTimes.length > 0 || others.length > 0) return null
  if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(signature)) return null
  return { timestamp, signature }
}

const isTimely = ({ timestamp }: SlackSignature, nowMs: number): boolean =>
  Math.abs(nowMs / 1000 - Number(timestamp)) <= WINDOW_SECONDS

/** Takes as long for a wrong signature as for a right one. */
function proves({ timestamp, signature }: SlackSignature, secret: string, bytes: Buffer): boolean {
  const made = `v0=${hmacSha256(secret, `v0:${timestamp}:`, bytes).toString('hex')}`
  return equalBytes(Buffer.from(made), Buffer.from(signature))
}

const MOST_IDS = 2_147_483_647
const idOf = (tenantId: number): number => (tenantId > MOST_IDS ? 0 : tenantId)

/**
 * For a workspace without the channel a secret that nobody has, so that it is refused in the same way and time. Null where the stored
 * one does not open.
 */
const secretOf = (ctx: Context<AnyoneAsking>, tenantId: number, row: ChannelRow | undefined): string | null =>
  row === undefined
    ? randomBytes(32).toString('hex')
    : (openConnection<SlackSecrets>(ctx, { tenantId, kind: 'slack' }, row)?.secrets.signingSecret ?? null)

const isVerb = (action: string): action is Verb => action === 'confirm' || action === 'reject'

function clickIn(bytes: Buffer): Clicked | null {
  const read = Payload.safeParse(payloadIn(bytes))
  if (!read.success) return null
  const { user, team, channel, container, actions } = read.data
  const [{ action_id: verb, action_ts: at, value = '' }] = actions
  const button = readButton(value)
  if (button === null || !isVerb(verb)) return null
  const click = {
    ...button,
    verb,
    teamId: user.team_id ?? team?.id ?? '',
    memberId: user.id,
    place: channel.id,
    message: container.message_ts,
  }
  // Slack sends a click again that it believes to be unanswered, and names the same moment.
  return { ...click, clickId: sha256Hex(JSON.stringify([click.memberId, click.message, at, verb, value])) }
}

function payloadIn(bytes: Buffer): unknown {
  const text = new URLSearchParams(bytes.toString('utf8')).get('payload')
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
