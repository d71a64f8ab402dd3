// Staging and confirming a write, by hand: the service's statements, one after the other, and nothing in between.
import { hash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { type Named, orderedValues, type Statement } from '../../server/src/kernel/db/index.ts'
import type { CredentialRow } from '../../server/src/tenancy/access/queries.ts'
import { claimAction } from '../../server/src/writes/actions/deciding-queries.ts'
import {
  type ActionRow,
  findAction,
  recordApproval,
  type StageValues,
  stageAction,
} from '../../server/src/writes/actions/queries.ts'
import { succeed } from '../../server/src/writes/actions/settle-queries.ts'
import { loadGrounds } from '../../server/src/writes/approvals/queries.ts'
import { HASH_VERSION } from '../../server/src/writes/writes/index.ts'
import type { Post } from './bare-post.ts'

export type Body = { readonly tool?: string; readonly arguments?: Record<string, unknown> }

const STAGED_BY = 'POST /v1/actions'
const CONFIRMED_BY = 'POST /v1/actions/{actionId}/confirm'
const DAY = 86_400
const LEASE = 30
/** Of no customer and no conversation, and nobody in particular may confirm it. */
const PLAIN = {
  domain: 'orders',
  rationale: null,
  risk: 'low',
  value: null,
  scopeId: null,
  subject: null,
  sessionId: null,
  userId: 0,
  personId: 0,
  stageKey: null,
  stageHash: null,
  approverUserId: null,
  selfConfirm: false,
  windowSeconds: DAY,
  source: STAGED_BY,
  mostPending: 10_000,
} as const

const BY_NOBODY = { userId: 0, personId: 0, source: CONFIRMED_BY } as const

export type Writes = {
  stage(credential: CredentialRow, body: Body): Promise<string>
  confirm(credential: CredentialRow, actionId: string): Promise<string>
}

function hashOf(tool: string, given: object, address: string | null): string {
  const destination = { address, method: 'POST' }
  const payload = { arguments: given, destination, scope_id: null, subject: null, tool, version: HASH_VERSION }
  return hash('sha256', JSON.stringify(payload))
}

export function openWrites(pool: pg.Pool, post: Post): Writes {
  async function one<Row, Values extends Named>(statement: Statement<Row, Values>, values: NoInfer<Values>) {
    const { rows } = await pool.query({ ...statement, values: orderedValues(statement, values) })
    const row = rows[0] as Row | undefined
    if (row === undefined) throw new Error(`${statement.name} gave no row.`)
    return row
  }

  async function stage(
    { tenantId, prefix, endpointUrl }: CredentialRow,
    { tool = '', arguments: given = {} }: Body,
  ): Promise<string> {
    const actionId = timeOrderedUuid()
    const token = `tac_${randomBytes(24).toString('hex')}`
    const { title, summary } = wordsOf(tool, given)
    const argumentsText = JSON.stringify(given)
    const values: StageValues = {
      ...PLAIN,
      tenantId,
      askingKey: prefix,
      askingSession: null,
      actionId,
      tool,
      title,
      summary,
      argumentsText,
      payloadHash: hashOf(tool, given, endpointUrl),
      hashVersion: HASH_VERSION,
      stagedFor: endpointUrl,
      idempotencyKey: `act_${randomUUID()}`,
      eventId: newEventId(),
      tokenHash: hash('sha256', token, 'buffer'),
      tokenPrefix: token.slice(0, 12),
    }
    const { expiresAt } = await one(stageAction, values)
    const preview = { status: 'preview', toolName: tool, actionId, expiresAt: expiresAt.toISOString(), summary }
    const resultJson = JSON.stringify({ ...preview, arguments: given })
    return JSON.stringify({ ...preview, confirmationToken: token, resultJson })
  }

  async function confirm(credential: CredentialRow, actionId: string): Promise<string> {
    const { tenantId } = credential
    const row = await one(findAction, { tenantId, actionId })
    if (row.state !== 'pending' || row.late) throw new Error(`The action is ${row.state}.`)
    await one(loadGrounds, { tenantId, actionId, statedUserId: null, personIds: [] })
    const { payloadHash, tool, idempotencyKey: requestId, arguments: given } = row
    await one(recordApproval, {
      ...BY_NOBODY,
      ...{ tenantId, actionId, payloadHash, underPolicy: false, eventId: newEventId() },
    })
    const claim = randomUUID()
    await one(claimAction, {
      ...standingOf(credential),
      ...{ actionId, payloadHash, claimToken: claim, leaseSeconds: LEASE, sentTo: credential.endpointUrl },
      ...{ userId: 0, personId: 0 },
    })
    const answered = await post(credential, { mode: 'execute', tool, given: JSON.parse(given), requestId, actionId })
    await one(succeed, {
      ...BY_NOBODY,
      ...{ tenantId, actionId, claimToken: claim },
      eventId: newEventId(),
      result: answered,
      verifySeconds: null,
      note: null,
    })
    return confirmed(await one(findAction, { tenantId, actionId }))
  }

  return { stage, confirm }
}

export const standingOf = ({
  tenantId,
  prefix,
  catalogVersion,
  endpointUrl,
  apiUrl,
  authorityVersion,
  signingSecret,
}: CredentialRow) => ({
  tenantId,
  askingKey: prefix,
  askingSession: null,
  catalogVersion,
  endpointUrl,
  authorityVersion,
  apiUrl,
  signingSecret,
})

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
