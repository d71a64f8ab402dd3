import type { House } from '../../../tenancy/context/index.ts'

/** Under one of the domains of the operator’s list, so that a workspace cannot have cards sent wherever it likes. */
export function isTeamsHost({ notifications }: House['settings'], url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? ''
  return notifications.teams.hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
}
