import { isObject, type JsonObject, jsonEqual, parseJson, stringifyJson } from '../../foundation/json/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { findCatalog, listVersions, type VersionRow } from './queries.ts'

export const catalogVersions = ({ db, asking }: Context, limit: number): Promise<VersionRow[]> =>
  db.rows(listVersions, { tenantId: asking.tenantId, limit })

type MemberChange = { readonly member: string; readonly before: string | null; readonly after: string | null }

export type CatalogDifference = {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly { readonly tool: string; readonly members: readonly MemberChange[] }[]
}

/** What one version says otherwise than another; null where a document is no longer kept. */
export async function compareVersions(ctx: Context, from: number, to: number): Promise<CatalogDifference | null> {
  const [before, after] = await Promise.all([toolsOf(ctx, from), toolsOf(ctx, to)])
  if (before === null || after === null) return null
  const changed = [...after].flatMap(([tool, now]) => {
    const members = membersThatDiffer(before.get(tool) ?? now, now)
    return members.length === 0 ? [] : [{ tool, members }]
  })
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    changed,
  }
}

async function toolsOf({ db, asking }: Context, version: number): Promise<Map<string, JsonObject> | null> {
  const text = (await db.one(findCatalog, { tenantId: asking.tenantId, version }))?.tools ?? null
  if (text === null) return null
  const tools = parseJson(text)
  const listed = Array.isArray(tools) ? tools.filter(isObject) : []
  return new Map(listed.map((tool) => [String(tool.name), tool]))
}

const written = (tool: JsonObject, member: string): string | null =>
  Object.hasOwn(tool, member) ? stringifyJson(tool[member] ?? null) : null

const membersThatDiffer = (before: JsonObject, after: JsonObject): MemberChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((member) => !jsonEqual(before[member] ?? null, after[member] ?? null))
    .map((member) => ({ member, before: written(before, member), after: written(after, member) }))
