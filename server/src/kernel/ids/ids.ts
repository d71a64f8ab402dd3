import { type Random, systemRandom } from '../crypto/index.ts'

/** A conversation, a request, an event, a message of a conversation, a suggestion for the vocabulary, or a push of a provider. */
export type IdKind = 'ses' | 'req' | 'evt' | 'msg' | 'sug' | 'psh'

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
