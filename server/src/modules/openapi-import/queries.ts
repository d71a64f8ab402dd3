import type { RepositorySource, UserTokenMode } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { sealedRows } from '../../tenancy/sealing/index.ts'

export type ImportRow = {
  readonly baseUrl: string
  readonly userToken: UserTokenMode
  /** Sealed. */
  readonly credential: string | null
  readonly source: RepositorySource | null
  readonly toolCount: number
  readonly importedAt: Date
}

const columns = `base_url as "baseUrl", user_token as "userToken", credential, source, tool_count as "toolCount",
          imported_at as "importedAt"`

export const findImport = statement<ImportRow, { tenantId: number }>(
  'imports.find',
  `select ${columns} from imports where tenant_id = $tenantId::int`,
)

/** Scheme, host and port: what a credential was given for. */
const originOf = (address: string) => `substring(${address} from '^[a-z]+://[^/?#]+')`

export type ImportToSave = {
  tenantId: number
  baseUrl: string
  userToken: UserTokenMode | null
  setCredential: boolean
  credential: string | null
  source: string | null
  toolCount: number
}

/**
 * What is not sent stays: the mode always, and the credential while the address keeps its origin. A credential that was
 * given for one host is never sent to another. No row where somebody else made the first import at the same moment, too.
 */
export const saveImport = statement<ImportRow & { readonly credentialDropped: boolean }, ImportToSave>(
  'imports.save',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   ), former as (
     select tenant_id, credential is not null and not $setCredential::boolean
            and ${originOf('base_url')} is distinct from ${originOf('$baseUrl::text')} as drops
       from imports where tenant_id = $tenantId::int and (select count(*) from living) > 0 for no key update
   ), changed as (
     update imports i
        set base_url = $baseUrl::text, user_token = coalesce($userToken::text, i.user_token), source = $source::json,
            tool_count = $toolCount::int, imported_at = now(), credential = case when $setCredential::boolean then $credential::text
              when ${originOf('i.base_url')} = ${originOf('$baseUrl::text')} then i.credential end
       from former f where i.tenant_id = $tenantId::int and i.tenant_id = f.tenant_id returning i.*, f.drops
   ), made as (
     insert into imports (tenant_id, base_url, user_token, credential, source, tool_count, imported_at)
     select tenant_id, $baseUrl::text, coalesce($userToken::text, 'ignore'), $credential::text, $source::json, $toolCount::int, now()
       from living where (select count(*) from former) = 0 on conflict (tenant_id) do nothing returning *
   )
   select ${columns}, drops as "credentialDropped" from changed union all select ${columns}, false from made`,
)

/** Null leaves what is there. A credential is for the API as its sender knew it, and for no other address. */
export const changeApi = statement<
  Pick<ImportRow, 'baseUrl' | 'userToken' | 'credential'>,
  {
    tenantId: number
    userToken: UserTokenMode | null
    setCredential: boolean
    credential: string | null
    apiUrl: string | null
  }
>(
  'imports.change_api',
  `update imports
      set user_token = coalesce($userToken::text, user_token),
          credential = case when $setCredential::boolean then $credential::text else credential end
    where tenant_id = $tenantId::int and ($credential::text is null or base_url = $apiUrl::text)
   returning base_url as "baseUrl", user_token as "userToken", credential`,
)

export const sealedCredentials = sealedRows('imports.reseal', {
  what: 'the credential of an imported API',
  table: 'imports',
  id: 'tenant_id::text',
  column: 'credential',
})
