import { unixSeconds } from '../../kernel/clock/index.ts'
import {
  SecretUnreadable,
  type SignatureHeaders,
  type SigningKey,
  signingKey,
  signRequest,
} from '../../kernel/crypto/index.ts'
import { type House, placeOf } from '../context/index.ts'

const KEPT = 2_000

export type SealedSecrets = {
  readonly tenantId: number
  readonly sealedSigningSecret: string | null
  readonly sealedPreviousSecret: string | null
}

/** @throws SecretUnreadable for the current secret */
export type Signer = (secrets: SealedSecrets, id: string, body: string) => SignatureHeaders

/**
 * Signs with the tenant's secret. It opens a sealed secret once and keeps it in memory under its tenant and its
 * sealed text: a rotated secret is a new entry, and one in another tenant's row is opened there, which fails.
 */
export function openSigner({ keyring, clock }: Pick<House, 'keyring' | 'clock'>): Signer {
  const opened = new Map<string, SigningKey>()

  const open = (sealed: string, tenantId: number): SigningKey => {
    const entry = `${tenantId} ${sealed}`
    const known = opened.get(entry)
    if (known !== undefined) return known
    const key = signingKey(keyring.open(sealed, placeOf(tenantId, 'signing_secret')))
    const [oldest] = opened.keys()
    if (opened.size >= KEPT && oldest !== undefined) opened.delete(oldest)
    opened.set(entry, key)
    return key
  }

  // The secret before the last rotation signs as well. If it does not open, that may be why it was rotated.
  const openPrevious = (sealed: string | null, tenantId: number): SigningKey | undefined => {
    try {
      return sealed === null ? undefined : open(sealed, tenantId)
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined
      throw error
    }
  }

  return ({ tenantId, sealedSigningSecret, sealedPreviousSecret }, id, body) => {
    if (sealedSigningSecret === null) throw new Error('The tenant has no signing secret. Rotate it to get one.')
    const previous = openPrevious(sealedPreviousSecret, tenantId)
    const delivery = { id, timestamp: unixSeconds(clock.now()), body }
    return signRequest(open(sealedSigningSecret, tenantId), delivery, previous)
  }
}
