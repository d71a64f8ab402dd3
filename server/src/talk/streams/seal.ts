import { type Keyring, type Place, SecretUnreadable } from '../../kernel/crypto/index.ts'

type Row = { readonly tenantId: number; readonly requestId: string; readonly n: number }

/** Whose turn it is, and whether it can be read again. */
export type Head = { readonly caller: string; readonly isKept: boolean }

// A frame may hold the token of a staged write, of which the database knows no more than a hash.
const placeOf = ({ tenantId, requestId, n }: Row): Place => ({
  table: 'turn_frames',
  column: 'data',
  tenantId,
  row: `${requestId} ${n}`,
})

export const sealHead = (keyring: Keyring, row: Omit<Row, 'n'>, head: Head): string =>
  keyring.seal(JSON.stringify(head), placeOf({ ...row, n: 0 }))

/** Null if this instance lacks the key that sealed it. What opens there is what `sealHead` has sealed. */
export const openHead = (keyring: Keyring, row: Omit<Row, 'n'>, data: string): Head | null =>
  opened(keyring, { ...row, n: 0 }, data) as Head | null

export const sealFrames = (keyring: Keyring, row: Row, frames: readonly string[]): string =>
  keyring.seal(JSON.stringify(frames), placeOf(row))

/** Null if this instance lacks the key that sealed them. What opens there is what `sealFrames` has sealed. */
export const openFrames = (keyring: Keyring, row: Row, data: string): readonly string[] | null =>
  opened(keyring, row, data) as readonly string[] | null

function opened(keyring: Keyring, row: Row, data: string): unknown {
  try {
    return JSON.parse(keyring.open(data, placeOf(row)))
  } catch (error) {
    if (error instanceof SecretUnreadable) return null
    throw error
  }
}
