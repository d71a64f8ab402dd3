// The public JSON endpoints that a page names: an `/api/` path or a `.json` file on the site's host or below it.
const LONGEST = 300
const MOST_FOUND = 200
const MOST_MENTIONS = 5_000
/** Words of a path that is about a person, changes something, or is no data of a business. */
const NEVER = new Set(
  `auth oauth authenticate authentication authorize authorization login logout signin signout signup register registration
  account accounts cart carts basket baskets checkout user users me session sessions token tokens password customer customers
  profile profiles order orders admin save track tracking log logs logger logging consent manifest oembed recommend
  recommendations analytics metrics telemetry collect beacon webhook webhooks graphql config settings translation translations
  locale locales i18n package lock lottie animation animations feed image images font fonts csrf vote subscribe subscribers
  newsletter newsletters delete update create add remove alarm ping health status`.split(/\s+/),
)
const PLACEHOLDER = /[{}[\]$:*<>`|\\^]|%7b|%24|%s|\.\.\./i

/** Their addresses, in the order of the page. */
export function dataEndpointsIn(html: string, page: URL): string[] {
  const found = new Set<string>()
  for (const written of mentionsOf(html)) {
    const address = addressOf(written, page)
    if (address !== null) found.add(address)
    if (found.size >= MOST_FOUND) break
  }
  return [...found]
}

const OPENING = new Set(['"', "'", '`', '(', '='])
const CLOSING = new Set(['"', "'", '`', '(', ')', '<', '>', '=', ' ', '\n', '\t', '\r', ';', ','])

/** Whatever stands between quotes around a sign, found without an expression over a stranger's whole text. */
function* mentionsOf(text: string): Generator<string> {
  let left = MOST_MENTIONS
  // JSON may write its slashes with a backslash.
  for (const sign of ['/api/', '\\/api\\/', '.json']) {
    let past = 0
    for (
      let at = text.indexOf(sign);
      at !== -1 && left-- > 0;
      at = text.indexOf(sign, Math.max(past, at + sign.length))
    ) {
      let from = at
      while (from > past && at - from < LONGEST && !CLOSING.has(text[from - 1] ?? '')) from--
      let to = at + sign.length
      // A query has `=` within.
      while (to < text.length && to - at < LONGEST && (text[to] === '=' || !CLOSING.has(text[to] ?? ''))) to++
      past = to
      if (from > 0 && OPENING.has(text[from - 1] ?? '') && to - at < LONGEST)
        yield text.slice(from, to).replaceAll('\\/', '/')
    }
  }
}

function addressOf(written: string, page: URL): string | null {
  const text = written.replaceAll('&amp;', '&')
  const isAddress = /^(?:https?:)?\/\/|^\/|^\.{0,2}\/|^[\w-]+\/|^[\w-]+\.json/.test(text)
  const bare = text.replace(/^https?:\/\/[^/]*/, '')
  if (!isAddress || PLACEHOLDER.test(bare)) return null
  const url = URL.parse(text, page.href)
  if (url === null || url.protocol !== page.protocol || url.username !== '' || !isOfSite(url, page)) return null
  const path = url.pathname
  const extension = /\.([a-z\d]{1,5})$/i.exec(path)?.[1]?.toLowerCase()
  const isData = extension === 'json' || (extension === undefined && path.includes('/api/') && !path.endsWith('/'))
  if (!isData || wordsIn(path + url.search).some((word) => NEVER.has(word))) return null
  url.hash = ''
  return url.href
}

const wordsIn = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)

/** The site's own host, or one below it. `www.` names the same site. */
export function isOfSite(url: URL, page: URL): boolean {
  const home = page.host.replace(/^www\./, '')
  return url.host === page.host || url.host === home || url.host.endsWith(`.${home}`)
}
