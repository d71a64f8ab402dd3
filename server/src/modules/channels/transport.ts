// Sends the requests of every driver.
import type { House } from '../../tenancy/context/index.ts'

const MAX_PAUSE_SECONDS = 600
export const AWAY_SECONDS = 15
/** The pause after a fault that a person has to mend, such as an app that is not in the channel. */
export const MENDED_SECONDS = 60

type ChannelRequest = {
  readonly tenantId: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly deadlineMs: number
  readonly maxBytes: number
}

export type Refused = { readonly ok: false; readonly fault: string; readonly pauseSeconds: number }

/** No answer and too many requests are faults of every channel. The driver reads all other answers. */
export async function postToChannel(
  { egress }: Pick<House, 'egress'>,
  { tenantId, ...request }: ChannelRequest,
): Promise<Refused | { readonly ok: true; readonly status: number; readonly body: Buffer }> {
  const result = await egress.request({
    ...request,
    purpose: 'notice',
    share: tenantId,
    method: 'POST',
    credentialed: true,
  })
  if (result.kind !== 'answer') return { ok: false, fault: 'unreachable', pauseSeconds: AWAY_SECONDS }
  const { status, headers, body } = result
  if (status !== 429) return { ok: true, status, body }
  const asked = Number(headers['retry-after'])
  const pauseSeconds = asked > 0 ? Math.min(asked, MAX_PAUSE_SECONDS) : AWAY_SECONDS
  return { ok: false, fault: 'ratelimited', pauseSeconds }
}
