import * as contract from '@tether/contract'
import type { z } from 'zod'
import { type Answer, readInstant } from '../../foundation/http/index.ts'
import { type Route, route, SECRET_ONLY } from '../../ground/access/index.ts'
import {
  auditCsv,
  chainCsv,
  eventOf,
  type Filters,
  lineOf,
  listChain,
  listEvents,
  verifyChain,
} from '../../ground/audit/index.ts'
import { prefersCsv } from './accept.ts'

const here = { reach: SECRET_ONLY, lane: 'control', group: 'Audit', method: 'GET' } as const

type Query = Readonly<Record<string, string | number | undefined>>

export const auditRoutes: readonly Route[] = [
  route({
    ...here,
    path: '/v1/audit',
    summary: 'What happened to staged writes, oldest first',
    description:
      'Filters combine. With `Accept: text/csv` the same page comes as a file whose columns are fixed and whose bytes depend on nothing but the events; its `Link` header names the page that follows. Before a text that a spreadsheet would run as a formula stands an apostrophe.',
    query: contract.AuditQuery,
    answers: { 200: { schema: contract.AuditEvents } },
    handle: async (ctx, { query, head }) => {
      const page = { after: query.after ?? 0, limit: limitOf(query.limit, contract.AUDIT_PAGE.preset) }
      const { events, nextAfter } = await listEvents(ctx, ctx.asking.tenantId, filtersOf(query), page)
      if (prefersCsv(head.headers.accept))
        return file('audit.csv', 'text/csv', auditCsv(events), { path: head.path, query, nextAfter })
      return { status: 200, body: { events: events.map(eventOf), count: events.length, nextAfter } }
    },
  }),
  route({
    ...here,
    path: '/v1/audit/export',
    summary: 'The trail with its chain, to be checked without trusting this service',
    description:
      'One JSON object per line: an event as it is, the hash of the one before, and its own. Pages follow the `Link` header and may be put into one file; `npm run audit:verify -- FILE` makes every hash again. With `Accept: text/csv` the same as CSV, in which a text that a spreadsheet would run has an apostrophe before it.',
    query: contract.AuditExportQuery,
    answers: { 200: { text: 'application/x-ndjson' } },
    handle: async (ctx, { query, head }) => {
      const page = { after: query.after ?? 0, limit: limitOf(query.limit, contract.AUDIT_PAGE.most) }
      const { events, nextAfter } = await listChain(ctx, ctx.asking.tenantId, rangeOf(query), page)
      if (prefersCsv(head.headers.accept))
        return file('audit-chain.csv', 'text/csv', chainCsv(events), { path: head.path, query, nextAfter })
      const lines = events.map((event) => `${lineOf(event)}\n`).join('')
      return file('audit.ndjson', 'application/x-ndjson', lines, { path: head.path, query, nextAfter })
    },
  }),
  route({
    ...here,
    path: '/v1/audit/verify',
    summary: 'Check the chain: that nothing was changed, taken out or put in between',
    description:
      'Makes the hash of every event of the range again. `missing`: an id is not there. `hash_mismatch`: an event is not what its hash was made over. `head_mismatch`: the newest event is not the one that was written last.',
    query: contract.AuditRange,
    answers: { 200: { schema: contract.AuditVerification } },
    handle: async (ctx, { query, head }) => ({
      status: 200,
      body: await verifyChain(ctx, ctx.asking.tenantId, { ...rangeOf(query), signal: head.signal }),
    }),
  }),
]

const limitOf = (asked: number | undefined, preset: number): number =>
  contract.clampLimit(asked, contract.AUDIT_PAGE.most, preset)

const rangeOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: readInstant('from', from),
  to: readInstant('to', to),
})

const filtersOf = (query: z.output<typeof contract.AuditQuery>): Filters => ({
  ...rangeOf(query),
  decision: query.decision,
  actionId: query.actionId,
  tool: query.tool,
  userId: query.user,
  subject: query.subject,
  scopeId: query.scope,
})

type Page = { readonly path: string; readonly query: Query; readonly nextAfter: number | null }

function file(name: string, type: string, content: string, { path, query, nextAfter }: Page): Answer {
  const headers: Record<string, string> = { 'content-disposition': `attachment; filename="${name}"` }
  if (nextAfter !== null) headers.link = `<${path}?${parametersOf({ ...query, after: nextAfter })}>; rel="next"`
  return { status: 200, headers, text: { type: `${type}; charset=utf-8`, content } }
}

function parametersOf(query: Query): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  return parameters
}
