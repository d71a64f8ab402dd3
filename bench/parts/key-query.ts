// One key, as a hand-written server looks it up. The service asks for all keys of one turn together.
import type { CredentialRow } from '../../server/src/tenancy/access/queries.ts'
import { findCredentials } from '../../server/src/tenancy/access/queries.ts'

export type { CredentialRow }
export const findCredential = {
  name: 'bench.find_credential',
  text: findCredentials.text.replace('any($1::bytea[])', '$1::bytea'),
}
