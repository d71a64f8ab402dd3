import { refuse } from '../../../kernel/http/index.ts'
import { isId, newId } from '../../../kernel/ids/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { noTenant } from '../../../tenancy/tenants/index.ts'
import { proposalsOf, type Told } from '../../proposals/index.ts'
import { insertSession, loadSession, type SessionRow } from '../queries.ts'
import { type History, noHistory } from '../turn/turn.ts'
import { NOT_YOURS, type Owner, ownerOf, refusedOwner } from './owner.ts'

export type OpenSession = {
  readonly sessionId: string
  readonly history: History
  /** True while a person has taken over, so that the assistant is silent. */
  readonly takenOver: boolean
}

/**
 * Finds the conversation to continue, if it is the caller's, with its history. Returns null if a new one should begin.
 */
export async function findSession(ctx: Context, sessionId: string | null): Promise<OpenSession | null> {
  if (sessionId === null) return null
  const { db, asking, settings } = ctx
  const { summarizeAfterExchanges } = settings.ai.memory
  const row = isId('ses', sessionId)
    ? await db.one(loadSession, { tenantId: asking.tenantId, sessionId, most: summarizeAfterExchanges })
    : undefined
  const reason = refusedOwner(row === undefined ? null : ownerFrom(row), ownerOf(asking))
  if (reason === null && row !== undefined)
    return {
      sessionId,
      history: { ...historyOf(row), proposals: await proposalsOf(ctx, sessionId, toldIn(row)) },
      takenOver: row.takenOver,
    }
  const why = reason ?? 'not_issued'
  throw refuse('session_not_yours', `${NOT_YOURS[why]} Leave \`sessionId\` out to begin a new one.`, { reason: why })
}

export async function beginSession({ db, asking }: Context): Promise<OpenSession> {
  const owner = ownerOf(asking)
  const sessionId = newId('ses')
  const made = await db.one(insertSession, {
    tenantId: asking.tenantId,
    sessionId,
    ownerKind: owner.kind,
    owner: owner.id,
  })
  if (made === undefined) throw noTenant()
  return { sessionId, history: noHistory, takenOver: false }
}

// The cast is true because the column has a check constraint for the kinds.
const ownerFrom = ({ ownerKind, owner }: SessionRow): Owner => ({ kind: ownerKind as Owner['kind'], id: owner })

const toldIn = ({ lastAt, toldActions }: SessionRow): Told => ({ since: lastAt, actions: toldActions })

const historyOf = ({ summary, exchanges, said }: SessionRow): Omit<History, 'proposals'> => ({
  summary,
  exchanges: exchanges.map(({ prompt, reply }) => ({ prompt, reply })),
  usedTools: [...new Set(exchanges.flatMap(({ usedTools }) => usedTools))],
  said: said.map(({ author, name, text }) => ({ by: author === 'visitor' ? 'visitor' : (name ?? 'staff'), text })),
})
