import { type Random, systemRandom } from '../crypto/index.ts'

/** UUID version 7 (RFC 9562): 48 bits of milliseconds, which keep a table's new ids together, and 74 random bits. */
export function newUuid(milliseconds: number, random: Random = systemRandom): string {
  const bytes = Buffer.from(random(16))
  bytes.writeUIntBE(milliseconds, 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Accepts any version in either case, as the database does for a `uuid`. */
export const isUuid = (text: string): boolean => uuidForm.test(text)
