import type { House } from '../../../tenancy/context/index.ts'
import type { Connection, Written } from '../driver.ts'
import { AWAY_SECONDS, MENDED_SECONDS, postToChannel } from '../transport.ts'

const DEADLINE_MS = 10_000
const MAX_ANSWER_BYTES = 64 * 1024

/** Under one of the domains of the operator’s list, so that a workspace cannot have cards sent wherever it likes. */
export function isTeamsHost({ notifications }: House['settings'], url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? ''
  return notifications.teams.hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
}

export type TeamsSecrets = { readonly url: string }

/** A workflow names no message: it takes a card, and posts it. */
export async function postToTeams(house: House, to: Connection<TeamsSecrets>, card: object): Promise<Written> {
  const { tenantId, secrets } = to
  // The operator may have taken its host from the list since.
  if (!isTeamsHost(house.settings, secrets.url))
    return { ok: false, fault: 'host_not_allowed', pauseSeconds: MENDED_SECONDS }
  const answer = await postToChannel(house, {
    tenantId,
    url: secrets.url,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(card),
    deadlineMs: DEADLINE_MS,
    maxBytes: MAX_ANSWER_BYTES,
  })
  if (!answer.ok) return answer
  const { status } = answer
  if (status >= 200 && status < 300) return { ok: true, at: null }
  const pauseSeconds = status >= 500 ? AWAY_SECONDS : OF_ONE_CARD.has(status) ? 0 : MENDED_SECONDS
  return { ok: false, fault: `http_${status}`, pauseSeconds }
}

/** Something in this card may be what is not taken, and a stranger may have written it: the others are tried. */
const OF_ONE_CARD: ReadonlySet<number> = new Set([400, 413, 422])
