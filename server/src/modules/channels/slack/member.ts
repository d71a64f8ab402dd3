import { member } from '../../../kernel/json/index.ts'
import type { House } from '../../../tenancy/context/index.ts'
import { peopleOfAddress } from '../../../writes/approvals/index.ts'
import type { ClickRow } from '../click-queries.ts'
import type { NotHeard } from '../words.ts'
import { callSlack, objectIn, textIn } from './api.ts'

/** Who clicked, as a person of the workspace; or why nobody knows. `address` is theirs, for what they are told. */
export type Linked =
  | { readonly ok: true; readonly personId: number }
  | { readonly ok: false; readonly why: NotHeard; readonly address: string }
  /** Slack cannot say at present. */
  | { readonly ok: null; readonly fault: string; readonly pauseSeconds: number }

type Asked = {
  readonly tenantId: number
  readonly token: string
  /** Whose members decide. */
  readonly teamId: string | null
}

/** A member of the app’s own team, by the confirmed address that Slack knows of them. */
export async function personOf(house: House, { tenantId, token, teamId }: Asked, click: ClickRow): Promise<Linked> {
  if (teamId === null || click.teamId !== teamId) return nobody('foreign_team')
  const args = { user: click.memberId }
  const answer = await callSlack(house, { tenantId, token, method: 'users.info', as: 'form', args })
  if (!answer.ok)
    return UNKNOWN.has(answer.fault)
      ? nobody('no_member')
      : { ok: null, fault: answer.fault, pauseSeconds: answer.pauseSeconds ?? MENDED_SECONDS }
  const user = objectIn(answer.body, 'user')
  if ((textIn(user, 'team_id') ?? teamId) !== teamId) return nobody('foreign_team')
  if (['deleted', 'is_bot', 'is_stranger'].some((what) => member(user, what) === true)) return nobody('no_member')
  const address = textIn(objectIn(user, 'profile'), 'email')
  if (address === null || member(user, 'is_email_confirmed') === false) return nobody('no_address')
  const [person, ...others] = await peopleOfAddress(house, tenantId, address)
  if (person === undefined) return nobody('unlinked', address)
  if (others.length > 0) return nobody('shared_address', address)
  // The address was another person's, or no one's, when the button was pressed.
  if (person.emailSince > click.receivedAt) return nobody('unlinked', address)
  return person.active ? { ok: true, personId: person.id } : nobody('inactive', address)
}

/** Slack has no such member, or shows them to nobody. */
const UNKNOWN: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible', 'users_not_found'])
/** What somebody has to mend in the app is asked for again after this. */
const MENDED_SECONDS = 20

const nobody = (why: NotHeard, address = ''): Linked => ({ ok: false, why, address })
