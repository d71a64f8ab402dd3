// Requests that are not HTTP, or say another thing than they do. The service may refuse them or hang up; no more.
import type { Manner } from '../rig/wire.ts'
import { type Framed, headOf, type Parts } from './frame.ts'
import type { Header } from './headers.ts'
import type { Random } from './random.ts'

type Lie = (parts: Parts, random: Random) => { bytes: (Buffer | string)[]; manner: Manner; isHttp?: boolean }

const HOST: Header = ['Host', '127.0.0.1']
const CLOSE: Header = ['Connection', 'close']

/** The head with these headers beside the request's own, and then whatever follows. */
const withHead = (parts: Parts, headers: readonly Header[], version?: string): Buffer =>
  headOf({ ...parts, headers: [...parts.headers.filter(isNoUpgrade), ...headers] }, version)

// It would stand against the word that the connection closes, and then the end is nobody's promise.
const isNoUpgrade = ([name]: Header): boolean => name !== 'Connection' && name !== 'Upgrade'

const LENGTHS = ['-1', '+5', '0x10', '1e3', 'abc', '', '5, 6', '18446744073709551616', '1.0', '05 ', '9007199254740993']
const CHUNKS = [
  'zz\r\nx\r\n0\r\n\r\n',
  'ffffffffffffffff1\r\nx',
  '-1\r\nx\r\n',
  '5\r\nab\r\n0\r\n\r\n',
  '1 \r\nx\r\n0\r\n\r\n',
  '\r\n',
  '3\nabc\n0\n\n',
  '1;'.concat('e'.repeat(20_000), '\r\nx\r\n0\r\n\r\n'),
] // bad sizes, endings, extensions
const CODINGS = [
  'gzip, chunked',
  'identity',
  'chunked, chunked',
  'chunked, identity',
  'xchunked',
  '\u000bchunked',
  'deflate',
]
const BAD_HEADERS = [
  'No colon here',
  ': no name',
  'Space before : x',
  'X-Nul: a\u0000b',
  'X-Control: \u0001',
  'X-Long: '.concat('z'.repeat(20_000)),
  ' folded: x',
  'X-Bare: a\rb',
  '\u00e9: x',
  'X: \u007f',
] // bytes that a header cannot have
const VERSIONS = [
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/0.9',
  'HTTP/9.9',
  'http/1.1',
  'HTTP/1.1 extra',
  'RTSP/1.0',
  '',
]
const METHODS = ['get', 'GET\u0000', 'G T', 'FOO', 'X'.repeat(300), '', 'POST/', '\u00e9']
const EXPECTATIONS = ['200-ok', '100-continue, more', '\u00ff']

const body = ({ body }: Parts): Buffer => body ?? Buffer.from('{}')

const LIES: readonly Lie[] = [
  (parts, random) => ({
    bytes: [withHead(parts, [HOST, ['Content-Length', String(body(parts).length + 1 + random.int(100))]]), body(parts)],
    manner: random.pick(['end', 'vanish']),
  }),
  (parts, random) => ({
    bytes: [withHead(parts, [HOST, ['Content-Length', String(random.int(body(parts).length + 1))]]), body(parts)],
    manner: 'end',
  }),
  (parts, random) => ({
    bytes: [withHead(parts, [HOST, ['Content-Length', random.pick(LENGTHS)]]), body(parts)],
    manner: 'end',
  }),
  (parts) => ({
    bytes: [withHead(parts, [HOST, ['Content-Length', '2'], ['Content-Length', '3']]), '{} '],
    manner: 'end',
  }),
  (parts) => ({
    bytes: [withHead(parts, [HOST, ['Content-Length', '5'], ['Transfer-Encoding', 'chunked']]), '2\r\n{}\r\n0\r\n\r\n'],
    manner: 'end',
  }),
  (parts, random) => ({
    bytes: [withHead(parts, [HOST, ['Transfer-Encoding', 'chunked']]), random.pick(CHUNKS)],
    manner: 'end',
  }),
  (parts, random) => ({
    bytes: [withHead(parts, [HOST, ['Transfer-Encoding', random.pick(CODINGS)]]), '2\r\n{}\r\n0\r\n\r\n'],
    manner: 'end',
  }),
  (parts) => ({ bytes: [withHead(parts, [])], manner: 'end' }),
  (parts) => ({ bytes: [withHead(parts, [HOST, ['Host', 'other.example']])], manner: 'end' }),
  (parts, random) => ({
    bytes: [withHead(parts, [['Host', random.pick(['', 'a b', '\u00ff', 'x'.repeat(3000)])]])],
    manner: 'end',
  }),
  (parts, random) => ({ bytes: [withHead(parts, [HOST, CLOSE], random.pick(VERSIONS))], manner: 'end' }),
  (parts, random) => ({ bytes: [withHead({ ...parts, method: random.pick(METHODS) }, [HOST])], manner: 'end' }),
  (parts) => ({
    bytes: [withHead({ ...parts, method: 'CONNECT', address: 'other.example:443' }, [HOST])],
    manner: 'end',
  }),
  (parts, random) => ({ bytes: [withHead(parts, [HOST, ['Expect', random.pick(EXPECTATIONS)]])], manner: 'end' }),
  (parts, random) => ({
    bytes: [`${parts.method} ${parts.address} HTTP/1.1\r\nHost: x\r\n${random.pick(BAD_HEADERS)}\r\n\r\n`],
    manner: 'end',
  }),
  (parts, random) => ({
    bytes: [withHead(parts, [HOST]).subarray(0, 1 + random.int(60))],
    manner: random.pick(['end', 'vanish']),
  }),
  (parts) => ({ bytes: [withHead(parts, [HOST]).toString('latin1').replaceAll('\r\n', '\n')], manner: 'end' }),
  (parts) => ({ bytes: ['\r\n\r\n\r\n', withHead(parts, [HOST, CLOSE])], manner: 'end' }),
  (_, random) => ({ bytes: [Buffer.from(Array.from({ length: 200 }, () => random.int(256)))], manner: 'end' }),
  () => ({ bytes: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', Buffer.alloc(9)], manner: 'end' }),
  () => ({ bytes: [Buffer.from('16030100c8010000c40303', 'hex'), Buffer.alloc(190)], manner: 'end' }),
  (parts) => ({ bytes: [withHead(parts, [HOST]), 'surplus bytes after the request'], manner: 'end' }),
  (parts) => ({
    bytes: [withHead(parts, [HOST]), withHead({ ...parts, method: 'GET', address: '/health' }, [HOST, CLOSE])],
    manner: 'all',
    isHttp: parts.body === undefined,
  }),
  (parts) => ({ bytes: [withHead(parts, [HOST, ['Content-Length', '1000000']]), body(parts)], manner: 'vanish' }),
]

export function lie(parts: Parts, random: Random): Framed {
  const { bytes, manner, isHttp = false } = random.pick(LIES)(parts, random)
  return {
    pieces: bytes.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
    manner,
    isHttp,
  }
}
