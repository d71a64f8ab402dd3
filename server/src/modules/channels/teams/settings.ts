import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { refuse } from '../../../kernel/http/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { noTenant } from '../../../tenancy/tenants/index.ts'
import { faultOf } from '../faults.ts'
import { type ChannelRow, findChannel, placeChannel, removeChannel } from '../queries.ts'
import { sealTeams } from '../secrets.ts'
import { isTeamsHost } from './hosts.ts'

type View = z.output<typeof contract.TeamsChannel>

/** The address is a credential: whoever has it can post. Its host alone is shown. */
const viewOf = (row: ChannelRow | undefined): View => ({
  configured: row !== undefined,
  host: row?.place ?? null,
  setAt: row?.setAt.toISOString() ?? null,
  fault: faultOf(row),
})

export const readTeams = async ({ db, asking }: Context): Promise<View> =>
  viewOf(await db.one(findChannel, { tenantId: asking.tenantId, kind: 'teams' }))

export async function setTeams(ctx: Context, asked: string): Promise<View> {
  const { tenantId } = ctx.asking
  const checked = await ctx.egress.checkAddress(asked.trim(), { noun: 'Workflow', purpose: 'notice' })
  if (!checked.ok && checked.reason === 'address') throw refuse('invalid_endpoint', checked.message)
  if (!isTeamsHost(ctx.settings, checked.url)) {
    const hosts = ctx.settings.notifications.teams.hosts.join(', ')
    throw refuse(
      'invalid_endpoint',
      `A workflow of Teams is under one of these domains: ${hosts}. Copy its address from the trigger “When a Teams webhook request is received”.`,
    )
  }
  const { hostname: place } = new URL(checked.url)
  const sealed = sealTeams(ctx, tenantId, { url: checked.url })
  const row = await ctx.db.one(placeChannel, { tenantId, kind: 'teams', place, teamId: null, sealed })
  if (row === undefined) throw noTenant()
  return viewOf(row)
}

export const removeTeams = async ({ db, asking }: Context): Promise<{ deleted: boolean }> => ({
  deleted: (await db.one(removeChannel, { tenantId: asking.tenantId, kind: 'teams' })) !== undefined,
})
