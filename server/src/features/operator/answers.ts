// What the operator reads of several databases. A list that lacks those of one would look complete, so without one of them there is none.
import { clampLimit, type TenantList } from '@tether/contract'
import type { z } from 'zod'
import type { Answer } from '../../foundation/http/index.ts'
import { mergedFigures } from '../../foundation/metrics/index.ts'
import type { Part } from '../../ground/access/index.ts'
import { MOST_LISTED, USUALLY_LISTED } from './tenants.ts'

type List = z.output<typeof TenantList>

/** A page of the tenants of all databases, by their ids. Each part holds as many as a page may. */
export function listOfAll(parts: readonly Part[], { query }: { readonly query: unknown }): Answer {
  // True because the parts are this route's own answers, and the query has been checked.
  const lists = parts.map(({ shard, answer }) => ({ shard, ...(answer.body as List) }))
  const { limit } = query as { limit?: number | undefined }
  const most = clampLimit(limit, MOST_LISTED, USUALLY_LISTED)
  const all = lists
    .flatMap(({ shard, tenants }) => tenants.map((tenant) => ({ ...tenant, database: shard })))
    .sort((one, other) => one.tenantId - other.tenantId)
  const tenants = all.slice(0, most)
  const isMore = all.length > most || lists.some(({ nextAfter }) => nextAfter !== null)
  const nextAfter = isMore ? (tenants.at(-1)?.tenantId ?? null) : null
  return { status: 200, body: { tenants, count: tenants.length, nextAfter } satisfies List }
}

/** The figures of each database under its name; what is of the process itself, once. */
export const figuresOfAll = ([first, ...others]: readonly [Part, ...Part[]]): Answer => {
  const texts = [first, ...others].map(({ shard, answer }) => [shard, String(answer.text?.content ?? '')] as const)
  return { ...first.answer, text: { type: first.answer.text?.type ?? 'text/plain', content: mergedFigures(texts) } }
}
