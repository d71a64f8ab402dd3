import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { type JsonObject, member } from '../../kernel/json/index.ts'
import { type DeclaredTool, type Moved, readMoved, readTools } from './declared-tool.ts'
import type { UpstreamRow } from './queries.ts'

type Upstream = z.output<typeof contract.Upstream>

/** An upstream as its tenant sees it: the credential is never shown. */
export function presentUpstream(row: UpstreamRow): Upstream {
  const moved = readMoved(row.moved)
  return {
    name: row.name,
    url: row.url,
    credentialStored: row.credential !== null,
    tools: readTools(row.tools).map((tool) => presentTool(tool, moved)),
    health: healthOf(row, moved),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

const presentTool = ({ tool, entry }: DeclaredTool, moved: Moved): Upstream['tools'][number] => ({
  tool,
  name: String(member(entry, 'name')),
  isWrite: member(entry, 'is_write') === true,
  idempotency: idempotencyOf(entry),
  state: (Object.hasOwn(moved, tool) ? moved[tool] : undefined) ?? 'ready',
})

/** The protocol gives a server no key to know a call by, so nothing of one is sent twice unless it was declared to know ours. */
const idempotencyOf = (entry: JsonObject): 'key' | 'none' => (member(entry, 'idempotency') === 'key' ? 'key' : 'none')

function healthOf({ fault, checkedAt, name }: UpstreamRow, moved: Moved): Upstream['health'] {
  const at = { checkedAt: checkedAt.toISOString() }
  if (fault !== null) return { status: 'unreachable', message: fault, ...at }
  const names = Object.keys(moved)
  if (names.length === 0) return { status: 'ok', message: null, ...at }
  const message = `No longer as they were declared, and not called: ${names.join(', ')}. Declare them again with PUT /v1/upstreams/${name}.`
  return { status: 'changed', message: message.slice(0, 1000), ...at }
}
