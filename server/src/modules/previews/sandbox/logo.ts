// The logo of a site, for a page of ours that asks no other host: read through the guard, and only if its bytes are those of a
// raster. What the site calls it counts nothing.
import type { House } from '../../../tenancy/context/index.ts'

const MOST_BYTES = 262_144
const DEADLINE_MS = 5_000

export type Logo = { readonly bytes: Buffer; readonly type: string }

/** How the bytes of each begin, in hexadecimal. */
const SIGNS: readonly (readonly [type: string, sign: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(?:37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['image/x-icon', /^00000100/],
]

export const rasterType = (bytes: Buffer): string | undefined => {
  const head = bytes.subarray(0, 16).toString('hex')
  return SIGNS.find(([, sign]) => sign.test(head))?.[0]
}

export async function fetchLogo(
  { egress }: Pick<House, 'egress'>,
  tenantId: number,
  url: string,
): Promise<Logo | null> {
  const found = await egress.request({
    purpose: 'crawl',
    share: tenantId,
    url,
    method: 'GET',
    headers: { accept: 'image/png,image/jpeg,image/webp,image/gif,image/x-icon' },
    deadlineMs: DEADLINE_MS,
    maxBytes: MOST_BYTES,
    redirects: 3,
    credentialed: false,
    compressed: true,
  })
  if (found.kind !== 'answer' || found.status !== 200) return null
  const type = rasterType(found.body)
  return type === undefined ? null : { bytes: found.body, type }
}
