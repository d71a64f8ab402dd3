export type UpstreamTokenFault = 'empty' | 'too_long' | 'invalid_characters' | 'repeated'

export type CheckedUpstreamToken = { ok: true; token: string | null } | { ok: false; reason: UpstreamTokenFault }

const longest = 4000

/**
 * Checks only the shape of `X-Service-Upstream-Token`; the imported API knows whose it is. `values` are the header's
 * values one by one (`headersDistinct`), because Node's usual headers join two of them into a text that looks like one
 * token.
 */
export function checkUpstreamToken(values: readonly string[]): CheckedUpstreamToken {
  const [token, ...others] = values
  if (token === undefined) return { ok: true, token: null }
  if (others.length > 0) return { ok: false, reason: 'repeated' }
  if (token === '') return { ok: false, reason: 'empty' }
  if (token.length > longest) return { ok: false, reason: 'too_long' }
  return /^[!-~]+$/.test(token) ? { ok: true, token } : { ok: false, reason: 'invalid_characters' }
}
