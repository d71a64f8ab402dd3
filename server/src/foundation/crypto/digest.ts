import { createHmac, hash, type KeyObject } from 'node:crypto'

/** Text is taken as its UTF-8 bytes. */
export type Bytes = string | Uint8Array

export const sha256 = (data: Bytes): Buffer => hash('sha256', data, 'buffer')

export const sha256Hex = (data: Bytes): string => hash('sha256', data, 'hex')

/** The parts are signed as one text, without anything between them. */
export function hmacSha256(key: Bytes | KeyObject, ...parts: readonly Bytes[]): Buffer {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}
