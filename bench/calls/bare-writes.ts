// Staging and confirming a write, by hand: the service's statements, one after the other, and nothing in between.
import { hash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { type ActionRow, findAction, type StageValues, stageAction } from '../../server/src/features/actions/queries.ts'
import { claimAction, succeed } from '../../server/src/features/actions/settle-queries.ts'
import { loadApproval } from '../../server/src/features/approvals/queries.ts'
import type { Statement } from '../../server/src/foundation/db/index.ts'
import type { CredentialRow } from '../../server/src/ground/access/queries.ts'
import type { Post } from './bare-post.ts'

export type Body = { readonly tool?: string; readonly arguments?: Record<string, unknown> }

const STAGED_BY = 'POST /v1/actions'
const CONFIRMED_BY = 'POST /v1/actions/{actionId}/confirm'
const DAY = 86_400
const LEASE = 30

export type Writes = {
  stage(credential: CredentialRow, body: Body): Promise<string>
  confirm(credential: CredentialRow, actionId: string): Promise<string>
}

export function openWrites(pool: pg.Pool, post: Post): Writes {
  async function one<Row, Values extends readonly unknown[]>(statement: Statement<Row, Values>, values: Values) {
    const row = (await pool.query({ ...statement, values: [...values] })).rows[0] as Row | undefined
    if (row === undefined) throw new Error(`${statement.name} gave no row.`)
    return row
  }

  async function stage({ tenantId }: CredentialRow, { tool = '', arguments: given = {} }: Body): Promise<string> {
    const actionId = timeOrderedUuid()
    const token = `tac_${randomBytes(24).toString('hex')}`
    const { title, summary } = wordsOf(tool, given)
    const text = JSON.stringify(given)
    const payload = hash('sha256', JSON.stringify({ arguments: given, scope_id: null, subject: null, tool }))
    const values: StageValues = [
      tenantId,
      actionId,
      tool,
      'orders',
      title,
      summary,
      null,
      text,
      payload,
      'low',
      null,
      null,
      null,
      null,
      0,
      `act_${randomUUID()}`,
      null,
      null,
      DAY,
      STAGED_BY,
      newEventId(),
      hash('sha256', token, 'buffer'),
      token.slice(0, 12),
      null,
      false,
    ]
    const { expiresAt } = await one(stageAction, values)
    const preview = { status: 'preview', toolName: tool, actionId, expiresAt: expiresAt.toISOString(), summary }
    const resultJson = JSON.stringify({ ...preview, arguments: given })
    return JSON.stringify({ ...preview, confirmationToken: token, resultJson })
  }

  async function confirm(credential: CredentialRow, actionId: string): Promise<string> {
    const { tenantId } = credential
    const row = await one(findAction, [tenantId, actionId])
    if (row.state !== 'pending' || row.late) throw new Error(`The action is ${row.state}.`)
    const { policyVersion } = await one(loadApproval, [tenantId, actionId, null])
    const claim = randomUUID()
    await one(claimAction, [tenantId, actionId, claim, LEASE, 0, row.payloadHash, policyVersion ?? 0, [], []])
    const given: unknown = JSON.parse(row.arguments)
    const requestId = row.idempotencyKey
    const answered = await post(credential, { mode: 'execute', tool: row.tool, given, requestId, actionId })
    await one(succeed, [tenantId, actionId, claim, 0, CONFIRMED_BY, newEventId(), answered, null])
    return confirmed(await one(findAction, [tenantId, actionId]))
  }

  return { stage, confirm }
}

function confirmed({ actionId, tool, result }: ActionRow): string {
  const head = `{"status":"Executed","actionId":"${actionId}","commandType":"${tool}","appliedChanges":`
  return `${head}${result?.toString() ?? 'null'},"errorCode":null,"errorMessage":null,"verification":null}`
}

function wordsOf(tool: string, given: Record<string, unknown>): { title: string; summary: string } {
  const words = tool.replaceAll('_', ' ')
  const title = words.charAt(0).toUpperCase() + words.slice(1)
  const parts = Object.entries(given).map(([name, value]) => `${name}: ${value}`)
  return { title, summary: `${title} (${parts.join(', ')})` }
}

const newEventId = (): string => `evt_${randomBytes(12).toString('hex')}`

/** Version 7, like the service's: where a row lands in the index is part of what a statement costs. */
function timeOrderedUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const random = randomUUID()
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
}
