import type { EgressPolicy } from './policy.ts'

// Browsers refuse to speak HTTP to these ports above 1023 (WHATWG Fetch, "bad port").
const notForHttp = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/**
 * Allows the default port of the scheme, and any from 1024 up that is not a browser's bad port. Businesses do serve
 * HTTPS on 8443, 4443 or 3000, while mail, DNS and shells are below 1024. An operator can name fewer ports in the
 * policy.
 */
export function isAllowedPort(port: number, secure: boolean, policy: EgressPolicy): boolean {
  if (policy.ports !== undefined) return policy.ports.includes(port)
  if (port === (secure ? 443 : 80)) return true
  return port >= 1024 && !notForHttp.has(port)
}
