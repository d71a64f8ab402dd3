import { randomBytes } from 'node:crypto'
import { equalBytes, hmacSha256, SecretUnreadable } from '../../kernel/crypto/index.ts'
import type { RequestHead } from '../../kernel/http/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { readSigningSecrets } from '../../tenancy/tenants/index.ts'

const WINDOW_SECONDS = 300

/** Whether this service signed it for this workspace, a moment ago. Nobody else hands anything to a developer's machine. */
export async function isOurs(house: House, tenantId: number, head: RequestHead, bytes: Buffer): Promise<boolean> {
  const [timestamp = ''] = head.valuesOf('x-service-timestamp')
  const [signature = ''] = head.valuesOf('x-service-signature')
  if (!/^\d{1,12}$/.test(timestamp) || !/^sha256=[0-9a-f]{64}$/.test(signature)) return false
  if (Math.abs(house.clock.now() / 1000 - Number(timestamp)) > WINDOW_SECONDS) return false
  // Where nobody is, it takes as long.
  const secret = (await secretOf(house, tenantId)) ?? randomBytes(32).toString('hex')
  const made = `sha256=${hmacSha256(secret, `${timestamp}.`, bytes).toString('hex')}`
  return equalBytes(Buffer.from(made), Buffer.from(signature))
}

/** With a secret that does not open, nothing was signed either. */
async function secretOf(house: House, tenantId: number): Promise<string | null> {
  try {
    return (await readSigningSecrets(house, tenantId)).signingSecret
  } catch (error) {
    if (error instanceof SecretUnreadable) return null
    throw error
  }
}
