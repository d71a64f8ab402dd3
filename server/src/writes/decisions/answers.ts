import { type Answer, refuse } from '../../kernel/http/index.ts'
import { rawJson } from '../../kernel/json/index.ts'
import { withSignsTold } from '../../kernel/text/index.ts'
import { userIdOf } from '../../tenancy/context/index.ts'
import { type Action, decidedAnswer, verificationOf } from '../actions/index.ts'
import type { DecidedOne } from './decide.ts'
import type { ActionPage } from './list.ts'
import type { Looked } from './look.ts'

// What the verbs of this room come to, over HTTP.

export const listAnswer = ({ actions, nextBefore }: ActionPage): Answer => ({
  status: 200,
  body: { actions: actions.map(listedAction), count: actions.length, nextBefore },
})

export function lookedAnswer(looked: Looked | null): Answer {
  if (looked === null) throw refuse('action_not_found', 'No action has this id. GET /v1/actions lists them by status.')
  const { action, approvals, outlook, mayDecide, destination, changed, preview } = looked
  const body = {
    ...listedAction(action),
    approvals: approvals.map(({ at, id, userId, displayName, email }) => ({
      user: id === null ? null : { id, userId, displayName: displayName ?? '', email },
      at: at.toISOString(),
    })),
    approversRequired: outlook.required,
    mayDecide,
    destination,
    changed,
    requestPreview: preview,
  }
  return { status: 200, body }
}

export const decidedAllAnswer = (results: readonly DecidedOne[]): Answer => ({
  status: 200,
  body: {
    results: results.map((one) => {
      if (one.kind === 'decided') return decidedAnswer(one.decided).body
      const { kind: _refused, ...error } = one
      return { error }
    }),
  },
})

const toldOrNull = (text: string | null): string | null => (text === null ? null : withSignsTold(text))

/** An entry of the list of actions. Its words are for people; its arguments stay exact. */
const listedAction = (action: Action) => ({
  actionId: action.actionId,
  tool: action.tool,
  commandType: action.tool,
  title: withSignsTold(action.title),
  summary: withSignsTold(action.summary),
  rationale: toldOrNull(action.rationale),
  // As they were stored: parsing and writing them again could change a number.
  arguments: rawJson(action.arguments),
  payloadHash: action.payloadHash,
  risk: action.risk,
  status: action.state,
  scopeId: action.scopeId,
  subject: action.subject,
  sessionId: action.sessionId,
  requestedByUserId: userIdOf(action.requestedByUserId) ?? 0,
  replaces: action.replaces,
  replacedBy: action.replacedBy,
  errorCode: action.errorCode,
  errorMessage: toldOrNull(action.errorMessage),
  createdAt: action.createdAt.toISOString(),
  expiresAt: action.expiresAt.toISOString(),
  verification: verificationOf(action),
})
