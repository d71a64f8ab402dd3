import type { ACTION_STATES } from '@tether/contract'
import type { Answer } from '../../foundation/http/index.ts'
import { rawJson } from '../../foundation/json/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { verificationOf } from './answers.ts'
import { type ActionRow, listActions } from './queries.ts'

export type ListInput = {
  readonly status: (typeof ACTION_STATES)[number]
  readonly tool: string | null
  readonly scopeId: number | null
  readonly limit: number
}

export async function listStaged({ db, asking }: Context, input: ListInput): Promise<Answer> {
  const rows = await db.rows(listActions, {
    tenantId: asking.tenantId,
    state: input.status,
    tool: input.tool,
    scopeId: input.scopeId,
    limit: input.limit,
  })
  return { status: 200, body: { actions: rows.map(staged), count: rows.length } }
}

const staged = (row: ActionRow) => ({
  actionId: row.actionId,
  tool: row.tool,
  commandType: row.tool,
  title: row.title,
  summary: row.summary,
  rationale: row.rationale,
  // As they were written down: to parse and write them again could change a number.
  arguments: rawJson(row.arguments),
  payloadHash: row.payloadHash,
  risk: row.risk,
  status: row.state,
  scopeId: row.scopeId,
  subject: row.subject,
  sessionId: row.sessionId,
  requestedByUserId: row.requestedByUserId,
  errorCode: row.errorCode,
  errorMessage: row.errorMessage,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  verification: verificationOf(row),
})
