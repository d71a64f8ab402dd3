import { statement } from '../../kernel/db/index.ts'

export type SealedRow = {
  tenantId: number
  signingSecret: string | null
  previousSigningSecret: string | null
  customerTokenKey: string | null
  emailSealed: string | null
}

export const listSealed = statement<SealedRow, { after: number; limit: number }>(
  'tenants.list_sealed',
  `select tenant_id as "tenantId", signing_secret as "signingSecret", previous_signing_secret as "previousSigningSecret",
          customer_token_key as "customerTokenKey", email_sealed as "emailSealed"
     from tenants
    where tenant_id > $after::int and deleted_at is null
    order by tenant_id
    limit $limit::int`,
  { looks: 'a key rotation re-encrypts the rows of every tenant' },
)

/** Replaces a column only if it still holds the value that was resealed, so that a rotation in between wins. */
export const reseal = statement<
  unknown,
  {
    tenantId: number
    oldSecret: string | null
    newSecret: string | null
    oldPrevious: string | null
    newPrevious: string | null
    oldTokenKey: string | null
    newTokenKey: string | null
    oldEmail: string | null
    newEmail: string | null
  }
>(
  'tenants.reseal',
  `update tenants
      set signing_secret = case when signing_secret = $oldSecret::text then $newSecret::text else signing_secret end,
          previous_signing_secret =
            case when previous_signing_secret = $oldPrevious::text then $newPrevious::text else previous_signing_secret end,
          customer_token_key =
            case when customer_token_key = $oldTokenKey::text then $newTokenKey::text else customer_token_key end,
          email_sealed = case when email_sealed = $oldEmail::text then $newEmail::text else email_sealed end
    where tenant_id = $tenantId::int`,
)

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
