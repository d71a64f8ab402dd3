// A name is a token (RFC 9110) and a value is visible Latin-1 with spaces and tabs inside. Anything else could end the
// header early or turn into other bytes.
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/
const latin = /^[\t\x20-\x7e\x80-\xff]*$/

// This room, or the HTTP client under it, writes these. A caller's own would contradict them.
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

/** Only these follow a redirect to another origin. Any other header may be a credential, whatever its name. */
const neutral = new Set(['accept', 'accept-language', 'user-agent'])

export type Headers = Readonly<Record<string, string>>

/** Says what is wrong with the caller's headers, or returns null. */
export function faultOfHeaders(headers: Headers): string | null {
  let size = 0
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!headerName.test(name)) return 'A header has a name that HTTP does not allow.'
    if (reserved.has(name.toLowerCase())) return `The HTTP client writes the header "${name}" itself. Leave it out.`
    if (!latin.test(value))
      return `The header "${name}" contains a line break, a control character or a character outside Latin-1.`
    size += name.length + value.length + 4
  }
  return size > largest ? `The headers are larger than ${largest} bytes.` : null
}

/** Alternates names and values, as undici expects. A caller's own `User-Agent` replaces ours. */
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
