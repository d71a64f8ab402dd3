import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { refuse } from '../../../kernel/http/index.ts'
import type { Context, House } from '../../../tenancy/context/index.ts'
import { noTenant } from '../../../tenancy/tenants/index.ts'
import { faultOf } from '../faults.ts'
import { type ChannelRow, findChannel, placeChannel, removeChannel } from '../queries.ts'
import { readSecrets, type SlackSecrets, sealSlack, secretUnreadable } from '../secrets.ts'
import { callSlack, textIn } from './api.ts'

type View = z.output<typeof contract.SlackChannel>
type Asked = z.output<typeof contract.SlackRequest>

/** Where Slack sends the clicks of a workspace’s app. */
const interactionsUrl = ({ http }: House['settings'], tenantId: number): string =>
  `${http.publicUrl}/v1/notifications/slack/interactions/${tenantId}`

const viewOf = ({ settings, asking }: Context, row: ChannelRow | undefined): View => ({
  configured: row !== undefined,
  channel: row?.place ?? null,
  teamId: row?.teamId ?? null,
  interactionsUrl: interactionsUrl(settings, asking.tenantId),
  setAt: row?.setAt.toISOString() ?? null,
  fault: faultOf(row),
})

const stored = ({ db, asking }: Context) => db.one(findChannel, { tenantId: asking.tenantId, kind: 'slack' })

export const readSlack = async (ctx: Context): Promise<View> => viewOf(ctx, await stored(ctx))

/** What is not sent stays as it is. The token is tried, because whose members may decide is what Slack says of it. */
export async function setSlack(ctx: Context, asked: Asked): Promise<View> {
  const { tenantId } = ctx.asking
  const before = await stored(ctx)
  const { place, botToken, signingSecret } = whole(asked, before, () => secretsBefore(ctx, before))
  const teamId = await teamOf(ctx, botToken)
  const sealed = sealSlack(ctx, tenantId, { botToken, signingSecret })
  const row = await ctx.db.one(placeChannel, { tenantId, kind: 'slack', place, teamId, sealed })
  if (row === undefined) throw noTenant()
  return viewOf(ctx, row)
}

export const removeSlack = async ({ db, asking }: Context): Promise<{ deleted: boolean }> => ({
  deleted: (await db.one(removeChannel, { tenantId: asking.tenantId, kind: 'slack' })) !== undefined,
})

function secretsBefore(ctx: Context, before: ChannelRow | undefined): Partial<SlackSecrets> {
  if (before === undefined) return {}
  const secrets = readSecrets(ctx, ctx.asking.tenantId, before)
  if (secrets === null) throw secretUnreadable()
  return secrets
}

/** What no longer opens is asked for only where something of it is to stay. */
function whole(asked: Asked, before: ChannelRow | undefined, kept: () => Partial<SlackSecrets>) {
  const { channel: place = before?.place } = asked
  const isNew = asked.botToken !== undefined && asked.signingSecret !== undefined
  const { botToken, signingSecret } = isNew ? asked : { ...kept(), ...present(asked) }
  if (botToken === undefined) throw missing('botToken')
  if (signingSecret === undefined) throw missing('signingSecret')
  if (place === undefined) throw missing('channel')
  return { place, botToken, signingSecret }
}

const present = (asked: Asked): Partial<SlackSecrets> => ({
  ...(asked.botToken === undefined ? {} : { botToken: asked.botToken }),
  ...(asked.signingSecret === undefined ? {} : { signingSecret: asked.signingSecret }),
})

const missing = (name: keyof Asked) =>
  refuse('invalid_request', `\`${name}\` is needed the first time: nothing is stored yet that could be kept.`)

async function teamOf(ctx: Context, token: string): Promise<string> {
  const answer = await callSlack(ctx, {
    tenantId: ctx.asking.tenantId,
    token,
    method: 'auth.test',
    as: 'form',
    args: {},
  })
  if (!answer.ok && answer.pauseSeconds !== null)
    throw refuse('notification_unavailable', 'Slack does not answer now, so the token could not be tried. Try again.')
  const teamId = answer.ok ? textIn(answer.body, 'team_id') : null
  if (teamId !== null) return teamId
  const reason = answer.ok ? 'no_team' : answer.fault
  throw refuse(
    'notification_refused',
    `Slack does not accept this bot token (${reason.slice(0, 80)}). Copy it again from “OAuth & Permissions” of the installed app.`,
    { reason: reason.slice(0, 80) },
  )
}
