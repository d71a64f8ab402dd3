import type { SignatureHeaders } from '../../foundation/crypto/index.ts'
import type { House, TenantAsking } from '../../ground/context/index.ts'
import { openSigner as openTenantSigner } from '../../ground/tenants/index.ts'

export type Signer = (asking: TenantAsking, requestId: string, body: string) => SignatureHeaders

/** Signs for who is asking: the sealed secrets came with the credential. */
export function openSigner(house: Pick<House, 'keyring' | 'clock'>): Signer {
  const sign = openTenantSigner(house)
  return ({ tenantId, wiring }, id, body) => {
    const { sealedSigningSecret, sealedPreviousSecret } = wiring
    return sign({ tenantId, sealedSigningSecret, sealedPreviousSecret }, id, body)
  }
}
