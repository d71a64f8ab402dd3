import type { EgressPolicy } from './policy.ts'

// The ports above 1023 that browsers refuse to speak HTTP to (WHATWG Fetch, "bad port").
const notForHttp = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/**
 * The default port of the scheme, or any from 1024 up that is not a browser's bad port. Businesses do serve HTTPS on 8443, 4443
 * or 3000, while below 1024 lie mail, DNS and shells. An operator who wants less names the ports in the policy.
 */
export function isAllowedPort(port: number, secure: boolean, policy: EgressPolicy): boolean {
  if (policy.ports !== undefined) return policy.ports.includes(port)
  if (port === (secure ? 443 : 80)) return true
  return port >= 1024 && !notForHttp.has(port)
}
