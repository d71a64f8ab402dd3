// `Buffer.from(text, encoding)` drops characters that it does not know, so two texts would decode to one value and a
// signed or sealed value could be written in a second way. These decoders accept only the canonical form.

/** Takes the standard alphabet, with padding. */
export const decodeBase64 = (text: string): Buffer | null => exactly(text, 'base64')

/** Takes the URL alphabet, without padding. */
export const decodeBase64url = (text: string): Buffer | null => exactly(text, 'base64url')

function exactly(text: string, encoding: 'base64' | 'base64url'): Buffer | null {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding) === text ? bytes : null
}
