import { statement } from '../../kernel/db/index.ts'
import { sealedRows } from '../sealing/index.ts'

const ofTenants = { table: 'tenants', id: 'tenant_id::text', needed: 'deleted_at is null' }

/** The previous secret was sealed when it was the current one and only moved, so it stays bound to the current one's column. */
export const sealedTenants = [
  sealedRows('tenants.reseal_secret', { ...ofTenants, what: 'a signing secret', column: 'signing_secret' }),
  sealedRows('tenants.reseal_previous_secret', {
    ...ofTenants,
    what: 'a previous signing secret',
    column: 'previous_signing_secret',
    boundTo: { column: 'signing_secret' },
  }),
  sealedRows('tenants.reseal_token_key', { ...ofTenants, what: 'a customer-token key', column: 'customer_token_key' }),
  sealedRows('tenants.reseal_email', { ...ofTenants, what: 'an address', column: 'email_sealed' }),
]

export const readSentinel = statement<{ sealed: string }>(
  'tenants.read_sentinel',
  `select sealed from encryption_sentinel where one`,
)

export const placeSentinel = statement<unknown, { sealed: string }>(
  'tenants.place_sentinel',
  `insert into encryption_sentinel (sealed) values ($sealed::text) on conflict (one) do nothing`,
)

export const replaceSentinel = statement<unknown, { sealed: string }>(
  'tenants.replace_sentinel',
  `update encryption_sentinel set sealed = $sealed::text where one`,
)
