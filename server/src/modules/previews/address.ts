import { type Refusal, refuse } from '../../kernel/http/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import type { Address } from './crawls.ts'

const LONGEST = 2048

type Written = { readonly siteUrl: string; readonly feedUrl?: string | null | undefined }
type Code = 'invalid_site_url' | 'invalid_feed_url'

/** Reads the addresses as they were written. Nothing is asked of anybody yet. */
export function readAddresses({ toolTransport }: House['settings'], { siteUrl, feedUrl }: Written): Address {
  const plain = toolTransport.allowInsecureEndpoint
  const feed = (feedUrl ?? '').trim()
  return {
    siteUrl: readAddress(siteUrl.trim(), 'invalid_site_url', plain),
    feedUrl: feed === '' ? null : readAddress(feed, 'invalid_feed_url', plain),
  }
}

function readAddress(written: string, code: Code, plain: boolean): string {
  const url = /^https?:\/\//i.test(written) && written.length <= LONGEST ? URL.parse(written) : null
  const what = code === 'invalid_site_url' ? 'site' : 'feed'
  if (url === null || url.username !== '' || url.password !== '') {
    const schemes = plain ? 'http:// or https://' : 'https://'
    throw refuse(code, `Give the address of the ${what} with ${schemes}, without a user name or password.`)
  }
  if (url.protocol === 'http:' && !plain) {
    throw refuse(code, `The address of the ${what} must use https://. Send that one.`)
  }
  url.hash = ''
  return url.href
}

/** Refuses what the guarded way out would: a private address, this machine or, for a stranger, a name that leads nowhere. */
export async function refusePrivate(
  { egress }: Pick<House, 'egress'>,
  { siteUrl, feedUrl }: Address,
  refusal: (code: Code, message: string) => Refusal,
  { unresolved }: { readonly unresolved: boolean },
): Promise<void> {
  const asked = [
    ['invalid_site_url', siteUrl, 'Site'],
    ...(feedUrl === null ? [] : ([['invalid_feed_url', feedUrl, 'Feed']] as const)),
  ] as const
  for (const [code, url, noun] of asked) {
    const checked = await egress.checkAddress(url, { noun, purpose: 'crawl' })
    if (!checked.ok && (checked.reason === 'address' || unresolved)) throw refusal(code, checked.message)
  }
}
