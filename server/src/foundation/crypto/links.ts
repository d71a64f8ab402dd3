import { nonceLength, openBox, sealBox } from './box.ts'
import { decodeBase64url } from './decode.ts'
import type { Keyring } from './keyring.ts'

/** What a mailed link carries. Nobody who holds the link can read or change it; that it works once is the caller's row. */
export type Link = { purpose: string; id: string; expiresAt: number }

export type OpenedLink = { ok: true; id: string; expiresAt: number } | { ok: false; reason: 'invalid' | 'expired' }

const longestLink = 4096

/** `expiresAt` is in milliseconds, as the clock gives them. The answer is url-safe text. */
export function sealLink(keyring: Keyring, { purpose, id, expiresAt }: Link): string {
  if (!id.isWellFormed() || !Number.isSafeInteger(expiresAt)) {
    throw new TypeError('A link needs a well-formed id and a whole number of milliseconds at which it ends.')
  }
  const [key] = keyring.derive(use)
  if (!key) throw new Error('A keyring always holds a key.')
  const { nonce, box } = sealBox(key, Buffer.from(JSON.stringify([id, expiresAt])), bindTo(purpose))
  const text = Buffer.concat([nonce, box]).toString('base64url')
  if (text.length > longestLink)
    throw new RangeError('The id of a link is too long: put it in a row and seal the key of the row.')
  return text
}

/** A link says that it is expired only when it is a true one of this purpose. */
export function openLink(keyring: Keyring, purpose: string, text: string, now: number): OpenedLink {
  const bytes = text.length <= longestLink ? decodeBase64url(text) : null
  if (!bytes) return { ok: false, reason: 'invalid' }
  for (const key of keyring.derive(use)) {
    const content = openBox(key, bytes.subarray(0, nonceLength), bytes.subarray(nonceLength), bindTo(purpose))
    if (content) return judge(asSealed(content), now)
  }
  return { ok: false, reason: 'invalid' }
}

const use = 'sealed link v1'

const bindTo = (purpose: string): Buffer => Buffer.from(JSON.stringify(['link', 'v1', purpose]))

const judge = ([id, expiresAt]: readonly [string, number], now: number): OpenedLink =>
  now < expiresAt ? { ok: true, id, expiresAt } : { ok: false, reason: 'expired' }

/** The box opened under a key and a use that only `sealLink` has, so this is what it put in. */
const asSealed = (content: Buffer): readonly [string, number] => JSON.parse(content.toString()) as [string, number]
