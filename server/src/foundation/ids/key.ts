import { type Random, systemRandom } from '../crypto/index.ts'

/** `tth_` and 48 lower-case hex digits: 192 random bits, so that a plain SHA-256 of it can be stored. */
export function newKey<Prefix extends string>(prefix: Prefix, random: Random = systemRandom): `${Prefix}_${string}` {
  if (!/^[a-z]{3}$/.test(prefix)) throw new TypeError(`A key prefix is three letters without "_", not "${prefix}".`)
  return `${prefix}_${Buffer.from(random(24)).toString('hex')}`
}
