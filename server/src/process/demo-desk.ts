import { type ActionList, AUDIT_PAGE, type AuditEvents } from '@tether/contract'
import type { z } from 'zod'
import { type Json, stringifyJson } from '../foundation/json/index.ts'
import type { Demo, DeskState } from '../surfaces/demo/index.ts'
import type { Routes } from './ask-routes.ts'

type Actions = z.output<typeof ActionList>['actions']
type DeskSnapshot = z.output<typeof DeskState>
type Status = DeskSnapshot['actions'][number]['status']
type Trail = z.output<typeof AuditEvents>

export const APPROVER = { userId: 1, displayName: 'Ana · ანა', role: 'manager' }

/** We read the workspace this often, however many desks are open, because its key has a rate limit. */
const FRESH_MS = 1400
const TRAIL_LINES = 20

export function openDesk(
  { ask, must }: Routes,
  key: string,
  now: () => number,
  page: number = AUDIT_PAGE.most,
): Pick<Demo, 'desk' | 'decide'> {
  let trail: Trail['events'] = []
  let seen: { readonly at: number; readonly state: Promise<DeskSnapshot> } | undefined

  /** Reads only the new events. The trail lists the oldest first. */
  async function readTrail(): Promise<Trail['events']> {
    for (let more = true; more; ) {
      const after = trail.at(-1)?.id ?? 0
      const { events, nextAfter } = await must<Trail>('GET', `/v1/audit?limit=${page}&after=${after}`, { key })
      // Two reads may overlap around a decision.
      const last = trail.at(-1)?.id ?? 0
      trail = [...trail, ...events.filter(({ id }) => id > last)].slice(-TRAIL_LINES)
      more = nextAfter !== null
    }
    return trail.toReversed()
  }

  async function list(status: Status): Promise<DeskSnapshot['actions']> {
    const { actions } = await must<{ actions: Actions }>('GET', `/v1/actions?limit=200&status=${status}`, { key })
    return actions.map((action) => shown(action, status))
  }

  async function read(): Promise<DeskSnapshot> {
    // The trail has no event for an indeterminate action, so the action stays on the desk until it is settled.
    const [pending, indeterminate] = await Promise.all([list('pending'), list('indeterminate')])
    return { actions: [...pending, ...indeterminate], events: await readTrail() }
  }

  return {
    desk() {
      if (seen === undefined || now() - seen.at >= FRESH_MS) seen = { at: now(), state: read() }
      return seen.state
    },
    async decide(actionId, decision, payloadHash) {
      const { status, body } = await ask('POST', `/v1/actions/${encodeURIComponent(actionId)}/${decision}`, {
        key,
        headers: { 'x-service-user-id': String(APPROVER.userId) },
        // The button itself names the risk, and the approval is of what the card showed.
        body: {
          confirm: { acknowledgeHighRisk: true, payloadHash },
          reject: { reason: 'Rejected at the desk' },
          reconcile: undefined,
        }[decision],
      })
      seen = undefined
      return { httpStatus: status, said: body }
    },
  }
}

function shown(action: Actions[number], status: Status): DeskSnapshot['actions'][number] {
  const { actionId, tool, title, risk, subject, payloadHash, expiresAt } = action
  const given = Object.entries(action.arguments).map(([name, value]): [string, string] => [name, textOf(value)])
  return { actionId, tool, title, risk, status, subject, payloadHash, expiresAt, arguments: given }
}

/** The value comes from `parseJson`, so it is JSON. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : stringifyJson(value as Json))
