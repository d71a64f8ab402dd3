import { nonceLength, openBox, sealBox } from './box.ts'
import { decodeBase64url } from './decode.ts'
import type { Keyring } from './keyring.ts'

/**
 * What a mailed link carries. Its holder can neither read nor change it; the caller's row ensures that it works once.
 */
export type Link = { purpose: string; id: string; expiresAt: number }

type OpenedLink =
  | { ok: true; id: string; expiresAt: number }
  | { ok: false; reason: 'expired'; id: string }
  | { ok: false; reason: 'invalid' }

const longestLink = 4096

/** `expiresAt` is in milliseconds, as the clock gives them. The result is safe in a URL. */
export function sealLink(keyring: Keyring, { purpose, id, expiresAt }: Link): string {
  if (!id.isWellFormed() || !Number.isSafeInteger(expiresAt)) {
    throw new TypeError('A link needs a well-formed id, and a whole number of milliseconds for when it expires.')
  }
  const [key] = keyring.derive(use)
  if (!key) throw new Error('The keyring holds no key, but it always should.')
  const { nonce, box } = sealBox(key, Buffer.from(JSON.stringify([id, expiresAt])), bindTo(purpose))
  const text = Buffer.concat([nonce, box]).toString('base64url')
  if (text.length > longestLink)
    throw new RangeError("The link's id is too long. Store it in a row and seal the row's key instead.")
  return text
}

/** Answers `expired` only for a genuine link of this purpose. */
export function openLink(keyring: Keyring, purpose: string, text: string, now: number): OpenedLink {
  const bytes = text.length <= longestLink ? decodeBase64url(text) : null
  if (!bytes) return { ok: false, reason: 'invalid' }
  for (const key of keyring.derive(use)) {
    const content = openBox(key, bytes.subarray(0, nonceLength), bytes.subarray(nonceLength), bindTo(purpose))
    if (content) return unlessExpired(asSealed(content), now)
  }
  return { ok: false, reason: 'invalid' }
}

const use = 'sealed link v1'

const bindTo = (purpose: string): Buffer => Buffer.from(JSON.stringify(['link', 'v1', purpose]))

const unlessExpired = ([id, expiresAt]: readonly [string, number], now: number): OpenedLink =>
  now < expiresAt ? { ok: true, id, expiresAt } : { ok: false, reason: 'expired', id }

/** The type is right because only `sealLink` uses the key and the use under which this box opened. */
const asSealed = (content: Buffer): readonly [string, number] => JSON.parse(content.toString()) as [string, number]
