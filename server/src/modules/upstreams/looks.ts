import { movedSince, readMoved, readTools, writtenMoved } from './declared-tool.ts'
import { type Looked, toolsOf } from './look.ts'
import { openServer, type Server } from './open-server.ts'
import type { LookEnd, Opened } from './opened.ts'
import { recordLook, type UpstreamRow } from './queries.ts'
import type { Reaching } from './reaching.ts'

// What a look brings in is somebody else's, and takes time and memory of everybody: of one server there is one look at a
// time, and of one workspace few, however many ask.

type Looking = {
  readonly row: UpstreamRow
  readonly credential: string | null
  readonly deadlineMs: number
  /** A look that has begun already says what its server was. A write goes by one that begins now, or by the next. */
  readonly fresh: boolean
}

/** Asks a server what it offers now, and keeps what was found, also that nothing was. Who asks meanwhile is told the same. */
export async function lookTogether(ctx: Reaching, looking: Looking): Promise<LookEnd> {
  const { looks } = ctx.servers
  const { row, fresh } = looking
  const key = `${ctx.asking.tenantId} ${row.name} ${row.updatedAt.getTime()}`
  const line = looks.get(key)
  if (line !== undefined && !fresh) return await line.running
  if (line !== undefined) {
    const again = () => lookTogether(ctx, { ...looking, fresh: false })
    line.next ??= line.running.then(again, again)
    return await line.next
  }
  const running = lookNow(ctx, looking).finally(() => looks.delete(key))
  looks.set(key, { running, next: null })
  return await running
}

async function lookNow(ctx: Reaching, { row, credential, deadlineMs }: Looking): Promise<LookEnd> {
  const { name, url, updatedAt: seen } = row
  const at = { tenantId: ctx.asking.tenantId, name, seen }
  const found = await listTools(ctx, { url, credential }, deadlineMs)
  if (!found.ok) {
    await ctx.db.run(recordLook, { ...at, moved: row.moved, fault: found.message })
    return found
  }
  const hashes = new Map(found.value.tools.map((tool) => [tool.name, tool.hash]))
  const moved = movedSince(readTools(row.tools), hashes, readMoved(row.moved))
  await ctx.db.run(recordLook, { ...at, moved: writtenMoved(moved), fault: null })
  return { ok: true, value: moved }
}

/** What a server offers, as soon as fewer servers of the workspace are looked at. */
export async function listTools(ctx: Reaching, server: Server, deadlineMs: number): Promise<Opened<Looked>> {
  return await ctx.servers.throughTurnstile(ctx.asking.tenantId, () => openServer(ctx, server, { deadlineMs }, toolsOf))
}
