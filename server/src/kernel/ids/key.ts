import { type Random, systemRandom } from '../crypto/index.ts'

/** The prefix and 48 lower-case hex digits. With 192 random bits, a plain SHA-256 of it is safe to store. */
export function newKey<Prefix extends string>(prefix: Prefix, random: Random = systemRandom): `${Prefix}_${string}` {
  if (!/^[a-z]{3}$/.test(prefix))
    throw new TypeError(`A key prefix must be three lower-case letters without "_", not "${prefix}".`)
  return `${prefix}_${Buffer.from(random(24)).toString('hex')}`
}
