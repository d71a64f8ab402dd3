import * as contract from '@tether/contract'
import type { z } from 'zod'
import { type Answer, readInstant } from '../../kernel/http/index.ts'
import { type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import { lineOf } from './chain.ts'
import { chainCsv } from './chain-csv.ts'
import { auditCsv } from './csv.ts'
import { eventOf, type Filters, listChain, listEvents } from './list.ts'
import type { Archived } from './queries.ts'
import { verifyChain } from './verify.ts'

const here = { reach: SECRET_ONLY, lane: 'control', group: 'Audit', method: 'GET' } as const

type Query = Readonly<Record<string, string | number | undefined>>

export const auditRoutes: readonly Route[] = [
  route({
    ...here,
    path: '/v1/audit',
    headers: ['Accept'],
    summary: 'List what happened to staged writes, oldest first',
    description:
      'Filters combine. With `Accept: text/csv` the same page comes as a file with fixed columns, whose bytes depend only on the events; its `Link` header names the next page. Text that a spreadsheet would run as a formula gets an apostrophe in front. Where what you ask for reaches into months that whoever runs the service has archived, `archived` and the header `X-Audit-Archived` name the last event that is not shown.',
    query: contract.AuditQuery,
    answers: { 200: { schema: contract.AuditEvents } },
    handle: async (ctx, { query, head }) => {
      const page = { after: query.after ?? 0, limit: pageLimit(query.limit, contract.AUDIT_PAGE.preset) }
      const { events, nextAfter, archived } = await listEvents(ctx, ctx.asking.tenantId, filtersOf(query), page)
      if (prefersCsv(head.headers.accept))
        return file('audit.csv', 'text/csv', auditCsv(events), { path: head.path, query, nextAfter, archived })
      const body = { events: events.map(eventOf), count: events.length, nextAfter, ...archivedPart(archived) }
      return { status: 200, headers: archivedHeader(archived), body }
    },
  }),
  route({
    ...here,
    path: '/v1/audit/export',
    headers: ['Accept'],
    summary: 'Export the trail with its chain, to check it without trusting this service',
    description:
      'Sends one JSON object per line: an event, the hash of the one before, and its own hash. The `Link` header names the next page, and you may put all pages into one file; `npm run audit:verify -- FILE` recomputes every hash. With `Accept: text/csv` it sends the same as CSV, in which text that a spreadsheet would run gets an apostrophe in front. A trail whose first months are archived begins after them, and the header `X-Audit-Archived` names the last event of those.',
    query: contract.AuditExportQuery,
    answers: { 200: { text: 'application/x-ndjson' } },
    handle: async (ctx, { query, head }) => {
      const page = { after: query.after ?? 0, limit: pageLimit(query.limit, contract.AUDIT_PAGE.most) }
      const { events, nextAfter, archived } = await listChain(ctx, ctx.asking.tenantId, rangeOf(query), page)
      if (prefersCsv(head.headers.accept))
        return file('audit-chain.csv', 'text/csv', chainCsv(events), { path: head.path, query, nextAfter, archived })
      const lines = events.map((event) => `${lineOf(event)}\n`).join('')
      return file('audit.ndjson', 'application/x-ndjson', lines, { path: head.path, query, nextAfter, archived })
    },
  }),
  route({
    ...here,
    path: '/v1/audit/verify',
    summary: 'Check the chain: that nothing was changed, removed or inserted',
    description:
      'Recomputes the hash of every event in the range. `missing` means that an id is missing; `hash_mismatch` that an event does not match its hash; `head_mismatch` that the newest event is not the one written last. Where months are archived, it checks what follows them, from the hash of the last one on, and says so.',
    query: contract.AuditRange,
    answers: { 200: { schema: contract.AuditVerification } },
    handle: async (ctx, { query, head }) => {
      const found = await verifyChain(ctx, ctx.asking.tenantId, { ...rangeOf(query), signal: head.signal })
      if (!found.ok) return { status: 200, body: found }
      const { archived, ...checked } = found
      return { status: 200, body: { ...checked, ...archivedPart(archived) } }
    },
  }),
]

const pageLimit = (asked: number | undefined, preset: number): number =>
  contract.clampLimit(asked, contract.AUDIT_PAGE.most, preset)

const rangeOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: readInstant('from', from),
  to: readInstant('to', to),
})

const numberAsked = (user: string): number => Number(user.replace('person:', '-'))

const filtersOf = (query: z.output<typeof contract.AuditQuery>): Filters => ({
  ...rangeOf(query),
  decision: query.decision,
  actionId: query.actionId,
  tool: query.tool,
  userId: query.user === undefined ? undefined : numberAsked(query.user),
  subject: query.subject,
  scopeId: query.scope,
})

type FilePage = {
  readonly path: string
  readonly query: Query
  readonly nextAfter: number | null
  readonly archived: Archived | null
}

const archivedPart = (archived: Archived | null) =>
  archived === null ? {} : { archived: { ...archived, lastAt: archived.lastAt.toISOString() } }

/** A file has no place for it that would leave its bytes those of the events. */
const archivedHeader = (archived: Archived | null): Record<string, string> =>
  archived === null ? {} : { 'x-audit-archived': String(archived.lastId) }

function file(name: string, type: string, content: string, { path, query, nextAfter, archived }: FilePage): Answer {
  const headers: Record<string, string> = {
    'content-disposition': `attachment; filename="${name}"`,
    ...archivedHeader(archived),
  }
  if (nextAfter !== null) headers.link = `<${path}?${queryParameters({ ...query, after: nextAfter })}>; rel="next"`
  return { status: 200, headers, text: { type: `${type}; charset=utf-8`, content } }
}

function queryParameters(query: Query): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  return parameters
}

/** True if the caller prefers a CSV file to JSON. Nobody has to ask for JSON, so a tie means CSV. */
export function prefersCsv(accept: string | undefined): boolean {
  const csv = preferenceFor('text/csv', accept)
  return csv > 0 && csv >= preferenceFor('application/json', accept)
}

function preferenceFor(type: string, accept = ''): number {
  const weights = accept.split(',').flatMap((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1'
    return name === type ? [Number(weight) || 0] : []
  })
  return Math.max(0, ...weights)
}
