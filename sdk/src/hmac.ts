import type { Bytes } from './bytes.ts'

const algorithm = { name: 'HMAC', hash: 'SHA-256' }

/** HMAC-SHA256 by Web Crypto. We sign and compare, because `subtle.verify` was not constant-time in every Node. */
export async function hmacSha256(key: Bytes, message: Bytes): Promise<Bytes> {
  const { subtle } = await webCrypto()
  const imported = await subtle.importKey('raw', key, algorithm, false, ['sign'])
  return new Uint8Array(await subtle.sign(algorithm, imported, message))
}

// Node 18 has Web Crypto, but not as a global. The name is in a variable so that no bundler looks for the module.
const nodeCrypto = 'node:crypto'

export async function webCrypto(): Promise<Pick<typeof globalThis.crypto, 'subtle' | 'getRandomValues'>> {
  return globalThis.crypto?.subtle ? globalThis.crypto : (await import(nodeCrypto)).webcrypto
}
