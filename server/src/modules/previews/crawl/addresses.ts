// Which addresses a crawl takes for pages, and which of them are the same.

const LONGEST = 2_048
/** Whoever came by which mail or advertisement is told by these, and not what the page is. */
const TRACKING =
  /^(?:utm_\w+|gclid|fbclid|msclkid|yclid|mc_[ce]id|_ga|_gl|ref_src|phpsessid|jsessionid|sid|sessionid|srsltid)$/i
const NO_PAGE =
  /\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|pdf|zip|gz|tgz|rar|7z|exe|dmg|apk|mp[34]|m4[av]|avi|mov|webm|og[gv]|wav|css|m?js|json|xml|rss|atom|txt|csv|docx?|xlsx?|pptx?|od[tsp]|epub|ics|vcf|woff2?|ttf|eot|map|wasm|swf)$/i
/** What changes something when it is asked for, or is nobody's reading. */
const NO_READING =
  /(?:^|[/_.?&=-])(?:log-?(?:in|out|off)|sign-?(?:in|out|up)|add[-_]?to[-_]?(?:cart|basket|wishlist)|cart|basket|checkout|wishlist|my-?account|wp-(?:login|admin|json)|cdn-cgi|unsubscribe|delete|remove|password)(?:$|[/_.?&=-])/i

/** An address that somebody types: http(s), without user name or password. */
export function readSiteUrl(written: string): URL | null {
  const text = written.trim()
  const url = text.length <= LONGEST && /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (url === null || url.username !== '' || url.password !== '' || url.hostname === '') return null
  url.hash = ''
  return url
}

/** One spelling for each page. What a link to another scheme of the same site means is this site. */
export function pageAddress(written: string, base: string, site: URL): URL | null {
  if (
    written === '' ||
    written.length > LONGEST ||
    /^(?:javascript|mailto|tel|data|blob|about|sms|whatsapp):/i.test(written)
  )
    return null
  const url = URL.parse(written, base)
  if (
    url === null ||
    (url.protocol !== 'http:' && url.protocol !== 'https:') ||
    url.username !== '' ||
    url.password !== ''
  )
    return null
  if (url.port === '' && site.port === '') url.protocol = site.protocol
  if (url.host !== site.host || url.protocol !== site.protocol) return null
  url.hash = ''
  if (url.search !== '')
    for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name)
  return url.href.length > LONGEST || NO_PAGE.test(url.pathname) || NO_READING.test(url.pathname + url.search)
    ? null
    : url
}

/** Pages of one kind have the same: a calendar's days, a shop's products. */
export const shapeOf = (url: URL): string =>
  `${url.pathname.replace(/\d+/g, '0').replace(/[^/]+(?=\/?$)/, (last) => (/\d|-/.test(last) ? '*' : last))}?${[...url.searchParams.keys()].sort().join('&')}`
