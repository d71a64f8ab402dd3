// One message that says nothing, so that somebody who sets a channel up sees it arrive, or why it does not.
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { refuse } from '../../kernel/http/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { languageOf, tenantOf } from '../../tenancy/tenants/index.ts'
import { faultOf } from './faults.ts'
import { type ChannelKind, type ChannelRow, findChannel } from './queries.ts'
import { openSlack, openTeams } from './secrets.ts'
import { callSlack } from './slack/api.ts'
import { plainCard } from './teams/adaptive-card.ts'
import { postToTeams } from './teams/send.ts'
import { WORDS } from './words.ts'

type Tested = z.output<typeof contract.ChannelTested>

export async function testSlack(ctx: Context): Promise<Tested> {
  const { tenantId } = ctx.asking
  const { row, text } = await ready(ctx, 'slack')
  const answer = await callSlack(ctx, {
    tenantId,
    token: openSlack(ctx, tenantId, row).botToken,
    method: 'chat.postMessage',
    as: 'json',
    args: { channel: row.place, text },
  })
  return testedFrom(ctx, answer.ok ? null : answer.fault)
}

export async function testTeams(ctx: Context): Promise<Tested> {
  const { tenantId } = ctx.asking
  const { row, text } = await ready(ctx, 'teams')
  const sent = await postToTeams(ctx, { tenantId, ...openTeams(ctx, tenantId, row) }, plainCard(text))
  return testedFrom(ctx, sent.ok === true ? null : sent.fault)
}

const NAMES: Readonly<Record<ChannelKind, string>> = { slack: 'Slack', teams: 'Teams' }

async function ready(ctx: Context, kind: ChannelKind): Promise<{ row: ChannelRow; text: string }> {
  const { tenantId } = ctx.asking
  const row = await ctx.db.one(findChannel, { tenantId, kind })
  if (row === undefined)
    throw refuse(
      'invalid_request',
      `${NAMES[kind]} is not set. Set it with PUT /v1/notifications/${kind}, then test it.`,
    )
  const { language } = await tenantOf(ctx, tenantId)
  return { row, text: WORDS[languageOf(language)].test }
}

/** It changes nothing of what is sent otherwise: a channel that rests goes on with its own next message. */
const testedFrom = ({ clock }: Context, fault: string | null): Tested => ({
  sent: fault === null,
  fault: faultOf({ fault, faultAt: new Date(clock.now()) }),
})
