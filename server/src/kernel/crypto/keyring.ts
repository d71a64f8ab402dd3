import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { openBox, sealBox } from './box.ts'
import { decodeBase64, decodeBase64url } from './decode.ts'
import { sha256Hex } from './digest.ts'

/** Where a sealed value is kept: it opens there and nowhere else. `row` is the rest of the row's key, as text. */
export type Place = { table: string; column: string; tenantId: number; row: string | number }

export type Keyring = {
  /** The id of the current key, which seals. */
  readonly keyId: string
  /** The ids of all keys of the ring, the current one first. */
  readonly keyIds: readonly string[]
  seal(plaintext: string, place: Place): string
  /** @throws SecretUnreadable */
  open(sealed: string, place: Place): string
  /** True unless the current key sealed it. */
  needsReseal(sealed: string): boolean
  /** Derives a separate key for another use from each key of the ring, the current one first. Uses are few, so they are kept. */
  derive(use: string): readonly KeyObject[]
}

export type SecretFault = 'malformed' | 'unknown_key' | 'not_authentic'

/** Says where and why, and never holds the sealed text. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable'
  readonly reason: SecretFault
  readonly table: string
  readonly column: string
  /** The id of the key that sealed it, unless the value is malformed. */
  readonly keyId: string | undefined

  constructor(reason: SecretFault, place: Place, keyId?: string) {
    super(`The stored secret could not be decrypted (${place.table}.${place.column}): ${advice[reason](keyId)}`)
    this.reason = reason
    this.keyId = keyId
    this.table = place.table
    this.column = place.column
  }
}

const advice: Record<SecretFault, (keyId?: string) => string> = {
  malformed: () => 'it does not have the form enc:v1:<key id>:<nonce>:<ciphertext>. Set the secret again.',
  unknown_key: (keyId) =>
    `it was sealed with the key ${keyId}, which this process does not have. Add that key to Encryption:PreviousKeys.`,
  not_authentic: () => 'it was changed, truncated, or copied from another row. Set the secret again.',
}

type RingKey = { readonly id: string; readonly root: KeyObject; readonly sealing: KeyObject }

type Keys = {
  /** Seals and opens. Each key is the base64 form of 32 bytes. */
  readonly key: string
  /** These only open. */
  readonly previous: readonly string[]
  /** Hears the id of the key whenever a value was sealed with one that the ring does not have. */
  readonly onMissingKey?: (keyId: string) => void
}

export function openKeyring({ key, previous, onMissingKey = () => undefined }: Keys): Keyring {
  const current = readKey(key)
  const all = [current, ...previous.map(readKey)]
  const derived = new Map<string, readonly KeyObject[]>()
  return {
    keyId: current.id,
    keyIds: all.map(({ id }) => id),
    seal: (plaintext, place) => seal(current, plaintext, place),
    open(sealed, place) {
      try {
        return open(all, sealed, place)
      } catch (error) {
        const missing = error instanceof SecretUnreadable && error.reason === 'unknown_key' ? error.keyId : undefined
        if (missing !== undefined) onMissingKey(missing)
        throw error
      }
    },
    needsReseal: (sealed) => !sealed.startsWith(`enc:v1:${current.id}:`),
    derive(use) {
      const keys = derived.get(use) ?? all.map((key) => derive(key.root, `tether use ${use}`))
      derived.set(use, keys)
      return keys
    },
  }
}

function readKey(text: string): RingKey {
  const bytes = decodeBase64(text)
  if (bytes?.length !== 32) {
    throw new Error('An encryption key must be exactly 32 bytes in base64. Make one with: openssl rand -base64 32')
  }
  const root = createSecretKey(bytes)
  return { id: sha256Hex(`tether key id:${text}`).slice(0, 8), root, sealing: derive(root, 'tether sealed value v1') }
}

// The key from the settings encrypts nothing itself, so that two uses never share a key.
const derive = (root: KeyObject, info: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', root, Buffer.alloc(0), info, 32)))

function seal(key: RingKey, plaintext: string, place: Place): string {
  // A lone surrogate would come back as a different character.
  if (!plaintext.isWellFormed()) throw new TypeError('A secret must be well-formed Unicode text.')
  const { nonce, box } = sealBox(key.sealing, Buffer.from(plaintext), bindTo(key.id, place))
  return `enc:v1:${key.id}:${nonce.toString('base64url')}:${box.toString('base64url')}`
}

function open(keys: readonly RingKey[], sealed: string, place: Place): string {
  const parts = readParts(sealed)
  if (!parts) throw new SecretUnreadable('malformed', place)
  const key = keys.find((one) => one.id === parts.keyId)
  if (!key) throw new SecretUnreadable('unknown_key', place, parts.keyId)
  const plaintext = openBox(key.sealing, parts.nonce, parts.box, bindTo(key.id, place))
  if (!plaintext) throw new SecretUnreadable('not_authentic', place, key.id)
  return plaintext.toString()
}

const form = /^enc:v1:([0-9a-f]{8}):([\w-]{16}):([\w-]+)$/

function readParts(sealed: string): { keyId: string; nonce: Buffer; box: Buffer } | null {
  const [, keyId, nonceText, boxText] = form.exec(sealed) ?? []
  if (keyId === undefined || nonceText === undefined || boxText === undefined) return null
  const nonce = decodeBase64url(nonceText)
  const box = decodeBase64url(boxText)
  return nonce && box ? { keyId, nonce, box } : null
}

// An array of strings in JSON gives each place its own form, whatever characters its parts hold. Numbers become text
// first, because the driver returns a bigint as text.
const bindTo = (keyId: string, { table, column, tenantId, row }: Place): Buffer =>
  Buffer.from(JSON.stringify(['enc', 'v1', keyId, table, column, String(tenantId), String(row)]))
