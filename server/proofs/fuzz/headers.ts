// The headers of a request: the ones that it needs, and the ones that nobody should have to expect.
import type { Random } from './random.ts'

export type Header = readonly [name: string, value: string]

/** One byte per character; a value may hold any byte but those that end a header. */
const ODD_HEADERS: readonly ((random: Random) => Header[])[] = [
  () => [['Accept', 'application/xml;q=0.1, */*;q=0']],
  () => [['Accept-Encoding', 'gzip, br, zstd, identity;q=0']],
  () => [['Accept-Language', 'x'.repeat(2000)]],
  () => [['Range', 'bytes=0-0']],
  () => [['If-None-Match', '*']],
  () => [['If-Modified-Since', 'never']],
  () => [['Cookie', 'a='.concat('b'.repeat(4000))]],
  () => [['Origin', 'null']],
  () => [['Origin', 'https://shop.example']],
  () => [['Origin', `https://${'a'.repeat(3000)}.example`]],
  () => [['Origin', '\u00e9\u0080']],
  () => [
    ['Origin', 'https://a.example'],
    ['Origin', 'https://b.example'],
  ],
  () => [
    ['X-Forwarded-For', '1.2.3.4, 5.6.7.8'],
    ['X-Forwarded-For', 'unknown'],
  ],
  () => [['X-Forwarded-For', '::ffff:999.1.1.1, [::1]:80, "_hidden", ,,,']],
  () => [['X-Forwarded-For', Array.from({ length: 500 }, () => '10.0.0.1').join(',')]],
  () => [['Forwarded', 'for="[2001:db8::1]";proto=http;by=']],
  () => [
    ['X-Service-Relay', 'x'.repeat(40)],
    ['X-Service-Visitor', '999.999.999.999'],
  ],
  () => [
    ['X-Service-Scope-Id', '-1'],
    ['X-Service-User-Id', '99999999999999999999'],
    ['X-Service-User-Role', ''],
  ],
  () => [['X-Service-User-Role', '\u00ff'.repeat(300)]],
  () => [['X-Service-Customer-Token', 'eyJhbGciOiJub25lIn0.e30.']],
  () => [
    ['X-Service-Customer-Token', '....'],
    ['X-Service-Customer-Token', ''],
  ],
  () => [
    ['X-Service-Upstream-Token', 'a b'],
    ['X-Service-Upstream-Token', 'c'],
  ],
  () => [['X-Service-User-Session', 'tus_'.concat('0'.repeat(48))]],
  () => [['X-Client-Surface', '__proto__']],
  () => [['X-Request-Id', 'mine\u0080']],
  () => [['Last-Event-ID', '\u00e9'.repeat(100)]],
  () => [['Idempotency-Key', '']],
  () => [['X-HTTP-Method-Override', 'DELETE']],
  () => [
    ['Upgrade', 'websocket'],
    ['Connection', 'Upgrade'],
  ],
  () => [
    ['Upgrade', 'h2c'],
    ['HTTP2-Settings', 'AAMAAABkAAQAAP__'],
  ],
  () => [['TE', 'trailers, deflate']],
  () => [['Expect', '100-continue']],
  () => [['Content-Encoding', 'gzip']],
  () => [['Content-Encoding', 'identity, \u0080']],
  () => [['Content-Language', 'x']],
  () => [['Transfer', 'chunked']],
  () => [
    ['__proto__', 'polluted'],
    ['constructor', 'x'],
    ['toString', 'x'],
  ],
  () => [['X-Empty', '']],
  () => [['X-Tab', 'a\tb']],
  () => [['X-High', '\u0080\u00ff']],
  () => [["x!#$%&'*+-.^_`|~9", 'every character of a name']],
  (random) => Array.from({ length: random.pick([50, 300]) }, (_, place): Header => [`X-Many-${place}`, 'y']),
  () => Array.from({ length: 40 }, (): Header => ['X-Same', 'y']),
]

export const oddHeaders = (random: Random): Header[] =>
  Array.from({ length: 1 + random.int(3) }, () => random.pick(ODD_HEADERS)(random)).flat()

const GOOD_TYPES = ['application/json', 'application/json; charset=utf-8', 'application/x-www-form-urlencoded']
const ODD_TYPES = [
  'text/plain',
  'application/xml',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/json; charset=utf-16',
  'application/json;;;=',
  'application/json, text/plain',
  'application/jsonp',
  'APPLICATION/JSON',
  ' application/json ',
  'json',
  '*/*',
  ';',
  '"',
  '\u00ff',
  '__proto__',
  'application/vnd.api+json',
  `application/json; a=${'b'.repeat(3000)}`,
]

/** Absent about as often as wrong: a body without a type is JSON, too. */
export function contentType(random: Random, breaks: boolean): Header[] {
  if (!breaks || random.chance(0.7)) return random.chance(0.15) ? [] : [['Content-Type', random.pick(GOOD_TYPES)]]
  const type: Header = ['Content-Type', random.pick(ODD_TYPES)]
  return random.chance(0.1) ? [type, ['Content-Type', 'application/json']] : [type]
}
