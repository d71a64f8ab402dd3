import type { ApiCredential, UserTokenMode } from '@tether/contract'
import type { Context } from '../../tenancy/context/index.ts'

/** The API that a tenant imported: where it is, and with whose authority it is called. */
export type ImportedApi = {
  /** As it was checked at import. The path of an operation is joined to it as text. */
  readonly baseUrl: string
  readonly userToken: UserTokenMode
  /** As it was declared, opened for this call. Null where none is stored. */
  readonly credential: ApiCredential | null
}

/**
 * What the room that keeps imports gives to this one; `app.ts` hands it in. Null where nothing was imported.
 * @throws SecretUnreadable if the stored credential cannot be decrypted
 */
export type ApiOf = (ctx: Context) => Promise<ImportedApi | null>
