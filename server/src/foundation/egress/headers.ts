// A name is a token (RFC 9110); a value is visible Latin-1 with spaces and tabs inside. Anything else could end the header early
// or be written as other bytes than were meant.
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/
const latin = /^[\t\x20-\x7e\x80-\xff]*$/

// Written by this room, or by the HTTP client under it. A caller's own would contradict them.
const reserved = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const largest = 16_384

/** What may follow a redirect to another origin. Everything else may be a credential, whatever it is called. */
const neutral = new Set(['accept', 'accept-language', 'user-agent'])

export type Headers = Readonly<Record<string, string>>

/** What is wrong with the headers that a caller gave, or null. */
export function faultOfHeaders(headers: Headers): string | null {
  let size = 0
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!token.test(name)) return 'A header has a name that HTTP does not allow.'
    if (reserved.has(name.toLowerCase())) return `The header "${name}" is written by the client itself: leave it out.`
    if (!latin.test(value))
      return `The header "${name}" has a line break, a control character or a letter outside of Latin-1.`
    size += name.length + value.length + 4
  }
  return size > largest ? `The headers are larger than ${largest} bytes.` : null
}

/** As undici takes them: names and values in turn. A caller's own `User-Agent` goes before ours. */
export function flatHeaders(headers: Headers, userAgent: string, acceptEncoding: string): string[] {
  const flat = ['accept-encoding', acceptEncoding]
  let named = false
  for (const name in headers) {
    if (name.toLowerCase() === 'user-agent') named = true
    flat.push(name, headers[name] ?? '')
  }
  if (!named) flat.push('user-agent', userAgent)
  return flat
}

export function neutralHeaders(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => neutral.has(name.toLowerCase())))
}
