import type { House } from '../../ground/context/index.ts'

/** Whoever calls a server, or looks at it when nobody calls. */
export type Reaching = Pick<House, 'db' | 'egress' | 'keyring'> & {
  readonly asking: { readonly tenantId: number; readonly upstreamToken?: string | null }
}
