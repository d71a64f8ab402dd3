// What the forms of the inbox do: the same verbs as the API, for the same person.
import type { ConfirmStatus } from '@tether/contract'
import { openLink, sealLink } from '../../kernel/crypto/index.ts'
import { isUuid } from '../../kernel/ids/index.ts'
import { type ActionRooms, confirm, reject } from '../../writes/actions/index.ts'
import { decideAll, type Looked } from '../../writes/decisions/index.ts'
import { type Form, field } from '../kit/index.ts'
import { change, type Unchanged } from './change.ts'
import type { Person } from './visit.ts'

const SOURCE = 'inbox'

type Outcome = ConfirmStatus | 'amended' | 'NotAmended'

type Decided = { readonly actionId: string; readonly outcome: Outcome; readonly unchanged?: Unchanged }

/** The decision is about what was on the screen: another payload is refused. */
export async function decideHere(person: Person, rooms: ActionRooms, looked: Looked, form: Form): Promise<Decided> {
  const { ctx } = person
  const { actionId } = looked.action
  const reason = field(form, 'reason').trim() || null
  switch (field(form, 'decision')) {
    case 'confirm': {
      const { conclusion } = await confirm(ctx, rooms, {
        actionId,
        acknowledgeHighRisk: field(form, 'acknowledge') === 'yes',
        confirmKey: null,
        payloadHash: field(form, 'payloadHash'),
        source: SOURCE,
      })
      return { actionId, outcome: conclusion.status }
    }
    case 'reject': {
      const tellVisitor = field(form, 'tellVisitor') === 'yes'
      const { conclusion } = await reject(ctx, { actionId, reason, tellVisitor, source: SOURCE })
      return { actionId, outcome: conclusion.status }
    }
    case 'amend':
      return await changeHere(person, rooms, looked, form)
    default:
      return { actionId, outcome: 'NotAmended' }
  }
}

async function changeHere(person: Person, rooms: ActionRooms, looked: Looked, form: Form): Promise<Decided> {
  const { actionId } = looked.action
  const done = await change(person, rooms, looked, form, SOURCE)
  if (done.kind === 'amended') return { actionId: done.actionId, outcome: 'amended' }
  if (done.kind === 'decided') return { actionId, outcome: done.status }
  return { actionId, outcome: 'NotAmended', unchanged: done.unchanged }
}

const MOST = 20

type Several = readonly { readonly actionId: string; readonly outcome: Outcome }[]

/** None where nothing was chosen. What needs an acknowledgement is not confirmed from the list. */
export async function decideSeveral(person: Person, rooms: ActionRooms, form: Form): Promise<Several> {
  const decision = field(form, 'decision') === 'confirm' ? 'confirm' : 'reject'
  const picked = (form.pick ?? []).slice(0, MOST).flatMap((one) => {
    const [actionId = '', payloadHash = ''] = one.split(' ')
    const reason = null
    // What is told afterwards names it, and no page of ours sends anything else.
    if (!isUuid(actionId)) return []
    return [{ actionId, payloadHash, decision, reason, tellVisitor: false, acknowledgeHighRisk: false } as const]
  })
  const results = await decideAll(person.ctx, rooms, picked, SOURCE)
  return results.map((one, at) => ({
    actionId: picked[at]?.actionId ?? '',
    outcome: one.kind === 'decided' ? one.decided.conclusion.status : 'NotAmended',
  }))
}

const SAID = 'inbox.said'
const MINUTES_5 = 300_000

type Told = readonly (readonly [actionId: string, outcome: Outcome])[]

/** A link says only to the person who decided what became of it. */
const purposeFor = ({ session }: Person): string => `${SAID} ${session.tenantId} ${session.person.id}`

/** What became of a decision, for the page after it. Sealed, so that no link can claim that something was done. */
export const sealTold = (person: Person, told: Told): string =>
  sealLink(person.ctx.keyring, {
    purpose: purposeFor(person),
    id: JSON.stringify(told),
    expiresAt: person.ctx.clock.now() + MINUTES_5,
  })

export function openTold(person: Person, text: string | undefined): Told {
  if (text === undefined) return []
  const opened = openLink(person.ctx.keyring, purposeFor(person), text, person.ctx.clock.now())
  // Only `sealTold` can have sealed it.
  return opened.ok ? (JSON.parse(opened.id) as Told) : []
}
