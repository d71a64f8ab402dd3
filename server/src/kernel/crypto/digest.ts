import { createHmac, hash, type KeyObject } from 'node:crypto'

/** Text stands for its UTF-8 bytes. */
export type TextOrBytes = string | Uint8Array

export const sha256 = (data: TextOrBytes): Buffer => hash('sha256', data, 'buffer')

export const sha256Hex = (data: TextOrBytes): string => hash('sha256', data, 'hex')

/** Signs the parts as one text, with nothing between them. */
export function hmacSha256(key: TextOrBytes | KeyObject, ...parts: readonly TextOrBytes[]): Buffer {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}
