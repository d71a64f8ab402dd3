import type { Place } from '../../kernel/crypto/index.ts'

type SealedColumn = 'signing_secret' | 'customer_token_key' | 'email_sealed'

/** The place that a tenant's sealed value is bound to, so that it opens there and nowhere else. */
export const placeOf = (tenantId: number, column: SealedColumn): Place => ({
  table: 'tenants',
  column,
  tenantId,
  row: tenantId,
})
