// A key says whose it is to this deployment, and to nobody else. Where the tables are divided by tenant, its look-up goes to the one
// place where its row is.
import { hmacSha256, type Keyring, type Random, systemRandom } from '../../kernel/crypto/index.ts'

/** What the tenants in keys are masked with is derived from the encryption key for this alone. */
const USE = 'tenant of a key v1'
const TENANT_BYTES = 4
/** Four bytes are the prefix, which everybody may see. The other sixteen are secret. */
const RANDOM_BYTES = 20

/**
 * The letters, and 48 hexadecimal digits: 40 are random, and the last eight are the tenant under a mask that follows from everything
 * before them. So two keys of one tenant have nothing in common that could be seen without the encryption key.
 */
export function keyText(keyring: Keyring, letters: string, tenantId: number, random: Random = systemRandom): string {
  const [secret] = keyring.derive(USE)
  if (secret === undefined) throw new Error('The keyring holds no key, but it always should.')
  const open = `${letters}_${Buffer.from(random(RANDOM_BYTES)).toString('hex')}`
  const tenant = Buffer.alloc(TENANT_BYTES)
  tenant.writeUInt32BE((tenantId ^ hmacSha256(secret, open).readUInt32BE()) >>> 0)
  return open + tenant.toString('hex')
}

/**
 * Whose key this may be, the likeliest tenant first. It is a guess: a key that was made before keys named their tenants, or under an
 * encryption key that is no longer in the ring, names some other tenant or none.
 */
export function tenantsNamed(keyring: Keyring, key: string): number[] {
  const open = key.slice(0, -2 * TENANT_BYTES)
  const masked = Number.parseInt(key.slice(-2 * TENANT_BYTES), 16)
  const named = keyring.derive(USE).map((secret) => masked ^ hmacSha256(secret, open).readUInt32BE())
  return [...new Set(named)].filter((tenantId) => tenantId > 0)
}
