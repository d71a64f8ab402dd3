import type { AllowedPrivate } from './allowed-private.ts'

/** What the process may reach at all. One policy covers everything that leaves it. */
export type EgressPolicy = {
  /** Accepts plain `http:`. Development only. */
  readonly allowInsecure: boolean
  /**
   * Accepts loopback and private addresses and local and single-label names, and reads the hosts file. Development
   * only.
   */
  readonly allowPrivateNetwork: boolean
  /** Private hosts and networks that are reached although `allowPrivateNetwork` is false. */
  readonly allowedPrivate?: AllowedPrivate
  /** More names to refuse, with every name below them (the service's own public name). */
  readonly refuseNames?: readonly string[]
  /** The addresses of a refused name that are open all the same, if `allowedPrivate` lists the name. `path` includes the query. */
  readonly ownDoor?: { readonly origin: string; readonly isOpen: (path: string) => boolean }
}
