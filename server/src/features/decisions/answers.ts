import { type Answer, refuse } from '../../foundation/http/index.ts'
import { decidedAnswer, listedAction } from '../actions/index.ts'
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
  const { action, approvals, outlook, mayDecide, preview } = looked
  const body = {
    ...listedAction(action),
    approvals: approvals.map(({ at, id, userId, displayName, email }) => ({
      user: id === null ? null : { id, userId, displayName: displayName ?? '', email },
      at: at.toISOString(),
    })),
    approversRequired: outlook.required,
    mayDecide,
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
