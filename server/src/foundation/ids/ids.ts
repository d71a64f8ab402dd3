import { type Random, systemRandom } from '../crypto/index.ts'

/** A conversation, a request, an event. */
export type IdKind = 'ses' | 'req' | 'evt'

// No letter that reads like a digit, no sign that ends a word: an id survives a telephone and a double click.
const letters = '0123456789abcdefghjkmnpqrstvwxyz'
const idLength = 24

/** `ses_` and 24 characters of five random bits each: 120 bits. */
export function newId<Kind extends IdKind>(kind: Kind, random: Random = systemRandom): `${Kind}_${string}` {
  const bytes = random(idLength)
  let text = ''
  for (const byte of bytes) text += letters[byte % letters.length]
  return `${kind}_${text}`
}

const idForm = /^[0-9a-hjkmnp-tv-z]{24}$/

/** Could `newId` have made it? */
export const isId = (kind: IdKind, text: string): boolean =>
  text.startsWith(`${kind}_`) && idForm.test(text.slice(kind.length + 1))
