import { refuse } from '../../kernel/http/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { DeclaredUpstream } from '../../tools/catalog/index.ts'
import { readTools } from './declared-tool.ts'
import { lookTogether } from './looks.ts'
import { credentialOf } from './open-server.ts'
import { findUpstream, listUpstreams as listAll, listDeclared, recordLook, type UpstreamRow } from './queries.ts'
import type { Reaching } from './reaching.ts'

/** As they were found when somebody last looked. */
export const listUpstreams = ({ db, asking: { tenantId } }: Context): Promise<UpstreamRow[]> =>
  db.rows(listAll, { tenantId })

/** One upstream, after a look at what it is now. */
export async function lookAtUpstream(ctx: Context & Reaching, name: string): Promise<UpstreamRow> {
  const row = await ctx.db.one(findUpstream, { tenantId: ctx.asking.tenantId, name })
  if (row === undefined) throw noUpstream(name)
  await look(ctx, row, ctx.settings.toolTransport.timeoutSeconds)
  return (await ctx.db.one(findUpstream, { tenantId: ctx.asking.tenantId, name })) ?? row
}

export const noUpstream = (name: string) =>
  refuse('upstream_not_found', `There is no MCP server "${name.slice(0, 64)}" here. GET /v1/upstreams lists them.`)

/** Asks a server what it offers now, and keeps what was found, also that nothing was. */
export async function look(ctx: Reaching, row: UpstreamRow, seconds: number): Promise<void> {
  const credential = credentialOf(ctx, row)
  if (credential !== undefined) {
    await lookTogether(ctx, { row, credential, deadlineMs: seconds * 1000, fresh: false })
    return
  }
  const { name, updatedAt: seen, moved } = row
  const fault = 'The stored credential does not open. Send it again.'
  await ctx.db.run(recordLook, { tenantId: ctx.asking.tenantId, name, seen, moved, fault })
}

/** What the upstreams of a tenant bring into its catalog. */
export async function declaredUpstream({ db, asking: { tenantId } }: Context): Promise<DeclaredUpstream> {
  const rows = await db.rows(listDeclared, { tenantId })
  const entries = rows.flatMap(({ tools }) => (tools === null ? [] : readTools(tools).map(({ entry }) => entry)))
  return { version: rows[0]?.upstreamsVersion ?? 0, entries }
}
