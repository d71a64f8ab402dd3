import {
  inTurns,
  isObject,
  itemsOf,
  type JsonObject,
  jsonEqual,
  member,
  parseJson,
  stringifyJson,
  turnOf,
  type Work,
} from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { findCatalog, listVersions, type VersionRow } from './queries.ts'

export const catalogVersions = ({ db, asking }: Context, limit: number): Promise<VersionRow[]> =>
  db.rows(listVersions, { tenantId: asking.tenantId, limit })

type MemberChange = { readonly member: string; readonly before: string | null; readonly after: string | null }

export type CatalogDifference = {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly { readonly tool: string; readonly members: readonly MemberChange[] }[]
}

/** What one version says otherwise than another; null where a document is no longer kept. In turns: both may be megabytes. */
export async function compareVersions(ctx: Context, from: number, to: number): Promise<CatalogDifference | null> {
  const [before, after] = await Promise.all([documentOf(ctx, from), documentOf(ctx, to)])
  return before === null || after === null ? null : await inTurns(compare(before, after))
}

const documentOf = async ({ db, asking }: Context, version: number): Promise<string | null> =>
  (await db.one(findCatalog, { tenantId: asking.tenantId, version }))?.tools ?? null

/** Only what is not written alike is read. A catalog of one tool more is compared for the price of that tool. */
export function* compare(before: string, after: string): Work<CatalogDifference> {
  const [older, newer] = [yield* itemsOf(before), yield* itemsOf(after)]
  const [inOlder, inNewer] = [new Set(older), new Set(newer)]
  const were = yield* toolsIn(older.filter((text) => !inNewer.has(text)))
  const are = yield* toolsIn(newer.filter((text) => !inOlder.has(text)))
  const isTurnOver = turnOf(CHARACTERS_PER_TURN)
  const changed: CatalogDifference['changed'][number][] = []
  for (const [name, { tool: now, size }] of are) {
    const old = were.get(name)
    if (old === undefined) continue
    const members = membersThatDiffer(old.tool, now)
    if (members.length > 0) changed.push({ tool: name, members })
    if (isTurnOver(old.size + size)) yield
  }
  return {
    added: [...are.keys()].filter((name) => !were.has(name)),
    removed: [...were.keys()].filter((name) => !are.has(name)),
    changed,
  }
}

/** About 3 ms of reading and comparing. */
const CHARACTERS_PER_TURN = 64 * 1024

type Sized = { readonly tool: JsonObject; readonly size: number }

function* toolsIn(texts: readonly string[]): Work<Map<string, Sized>> {
  const isTurnOver = turnOf(CHARACTERS_PER_TURN)
  const tools = new Map<string, Sized>()
  for (const text of texts) {
    const tool = parseJson(text)
    if (isObject(tool)) tools.set(String(tool.name), { tool, size: text.length })
    if (isTurnOver(text.length)) yield
  }
  return tools
}

const written = (tool: JsonObject, name: string): string | null => {
  const value = member(tool, name)
  return value === undefined ? null : stringifyJson(value)
}

const membersThatDiffer = (before: JsonObject, after: JsonObject): MemberChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !jsonEqual(member(before, name) ?? null, member(after, name) ?? null))
    .map((name) => ({ member: name, before: written(before, name), after: written(after, name) }))
