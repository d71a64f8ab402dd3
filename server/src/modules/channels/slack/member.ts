import { member } from '../../../kernel/json/index.ts'
import type { House } from '../../../tenancy/context/index.ts'
import type { ClickRow } from '../click-queries.ts'
import type { Connection, MemberAddress } from '../driver.ts'
import type { NotHeard } from '../words.ts'
import { callSlack, objectIn, type SlackSecrets, textIn } from './api.ts'

/** The confirmed address that Slack knows of a member of the app’s own team. */
export async function findAddress(house: House, to: Connection<SlackSecrets>, click: ClickRow): Promise<MemberAddress> {
  const { teamId } = to
  if (teamId === null || click.teamId !== teamId) return nobody('foreign_team')
  const answer = await callSlack(house, to, { method: 'users.info', as: 'form', args: { user: click.memberId } })
  if (!answer.ok)
    return UNKNOWN.has(answer.fault)
      ? nobody('no_member')
      : { ok: null, fault: answer.fault, pauseSeconds: answer.pauseSeconds ?? MENDED_SECONDS }
  const user = objectIn(answer.body, 'user')
  if ((textIn(user, 'team_id') ?? teamId) !== teamId) return nobody('foreign_team')
  if (['deleted', 'is_bot', 'is_stranger'].some((what) => member(user, what) === true)) return nobody('no_member')
  const address = textIn(objectIn(user, 'profile'), 'email')
  if (address === null || member(user, 'is_email_confirmed') === false) return nobody('no_address')
  return { ok: true, address }
}

/** Slack has no such member, or shows them to nobody. */
const UNKNOWN: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible', 'users_not_found'])
/** What somebody has to mend in the app is asked for again after this. */
const MENDED_SECONDS = 20

const nobody = (why: NotHeard): MemberAddress => ({ ok: false, why })
