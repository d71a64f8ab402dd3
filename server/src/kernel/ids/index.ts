import { type Random, systemRandom } from '../crypto/index.ts'

/** A conversation, a request, an event, a message of a conversation, a suggestion for the vocabulary, or a push of a provider. */
type IdKind = 'ses' | 'req' | 'evt' | 'msg' | 'sug' | 'psh'

// No letter looks like a digit and no character ends a word, so an id survives being read aloud and a double click.
const letters = '0123456789abcdefghjkmnpqrstvwxyz'
const idLength = 26

/** The kind, "_" and 26 characters of five random bits each, for 130 bits: a guest's conversation belongs to whoever knows its id. */
export function newId<Kind extends IdKind>(kind: Kind, random: Random = systemRandom): `${Kind}_${string}` {
  const bytes = random(idLength)
  let text = ''
  for (const byte of bytes) text += letters[byte % letters.length]
  return `${kind}_${text}`
}

// An id that was made before had 24 characters.
const idForm = /^[0-9a-hjkmnp-tv-z]{24}(?:[0-9a-hjkmnp-tv-z]{2})?$/

/** True if `newId` could have made it. */
export const isId = (kind: IdKind, text: string): boolean =>
  text.startsWith(`${kind}_`) && idForm.test(text.slice(kind.length + 1))

/** The prefix and 48 lower-case hex digits. With 192 random bits, a plain SHA-256 of it is safe to store. */
export function newKey<Prefix extends string>(prefix: Prefix, random: Random = systemRandom): `${Prefix}_${string}` {
  if (!/^[a-z]{3}$/.test(prefix))
    throw new TypeError(`A key prefix must be three lower-case letters without "_", not "${prefix}".`)
  return `${prefix}_${Buffer.from(random(24)).toString('hex')}`
}

/** UUID version 7 (RFC 9562): 48 bits of milliseconds, which keep a table's new ids together, and 74 random bits. */
export function newUuid(milliseconds: number, random: Random = systemRandom): string {
  const bytes = Buffer.from(random(16))
  bytes.writeUIntBE(milliseconds, 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Accepts any version in either case, as the database does for a `uuid`. */
export const isUuid = (text: string): boolean => uuidForm.test(text)
