// `Buffer.from(text, encoding)` drops the characters that it does not know. Two texts would then be one value, and what
// was signed or sealed could be written in a second way. These decoders take the one canonical form, and nothing else.

/** Standard alphabet, padded. */
export const decodeBase64 = (text: string): Buffer | null => exactly(text, 'base64')

/** URL alphabet, without padding. */
export const decodeBase64url = (text: string): Buffer | null => exactly(text, 'base64url')

function exactly(text: string, encoding: 'base64' | 'base64url'): Buffer | null {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding) === text ? bytes : null
}
