import type { House } from '../../../tenancy/context/index.ts'
import type { Connection, Written } from '../driver.ts'

const WITHIN_MS = 10_000
const MOST_BYTES = 64 * 1024
const AWAY_SECONDS = 15
const MENDED_SECONDS = 60
const LONGEST_PAUSE_SECONDS = 600

/** Under one of the domains of the operator’s list, so that a workspace cannot have cards sent wherever it likes. */
export function isTeamsHost({ notifications }: House['settings'], url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? ''
  return notifications.teams.hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
}

export type TeamsSecrets = { readonly url: string }

/** A workflow names no message: it takes a card, and posts it. */
export async function postToTeams(
  { egress, settings }: House,
  { tenantId, secrets: { url } }: Connection<TeamsSecrets>,
  card: object,
): Promise<Written> {
  // The operator may have taken its host from the list since.
  if (!isTeamsHost(settings, url)) return { ok: false, fault: 'host_not_allowed', pauseSeconds: MENDED_SECONDS }
  const result = await egress.request({
    purpose: 'notice',
    share: tenantId,
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(card),
    deadlineMs: WITHIN_MS,
    maxBytes: MOST_BYTES,
    credentialed: true,
  })
  if (result.kind !== 'answer') return { ok: false, fault: 'unreachable', pauseSeconds: AWAY_SECONDS }
  const { status, headers } = result
  if (status >= 200 && status < 300) return { ok: true, at: null }
  if (status !== 429) {
    const pauseSeconds = status >= 500 ? AWAY_SECONDS : OF_ONE_CARD.has(status) ? 0 : MENDED_SECONDS
    return { ok: false, fault: `http_${status}`, pauseSeconds }
  }
  const asked = Number(headers['retry-after'])
  const pauseSeconds = asked > 0 ? Math.min(asked, LONGEST_PAUSE_SECONDS) : AWAY_SECONDS
  return { ok: false, fault: 'ratelimited', pauseSeconds }
}

/** Something in this card may be what is not taken, and a stranger may have written it: the others are tried. */
const OF_ONE_CARD: ReadonlySet<number> = new Set([400, 413, 422])
