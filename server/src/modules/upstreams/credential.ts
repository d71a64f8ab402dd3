import type { Place } from '../../kernel/crypto/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { type Resealed, resealRows } from '../../tenancy/sealing/index.ts'
import { listSealed, reseal } from './queries.ts'

export const placeOfCredential = (tenantId: number, name: string): Place => ({
  table: 'upstreams',
  column: 'credential',
  tenantId,
  row: name,
})

export const resealUpstreams = (house: Pick<House, 'db' | 'keyring' | 'log'>): Promise<Resealed> =>
  resealRows(house, { what: 'the credential of an MCP server', list: listSealed, reseal, place: placeOfCredential })
