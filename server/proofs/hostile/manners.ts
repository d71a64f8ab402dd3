// Every way in which an endpoint can be slow, broken or malicious, and what the service has to call it: for a read, and for a
// confirmed write, where "failed" would be as wrong as "executed" when nobody can know.
import { gzipSync } from 'node:zlib'
import type { Peer } from './endpoint.ts'

export type Manner = {
  readonly name: string
  /** The status of a read. */
  readonly read: 'ok' | 'timeout' | 'unreachable' | 'response_too_large' | 'endpoint_error'
  /** The status of a confirmed write. */
  readonly write: 'Executed' | 'Indeterminate' | 'FailedRetryable' | 'FailedTerminal'
  /** Null: nobody listens. */
  readonly answer: ((peer: Peer) => void) | null
}

export type Surroundings = {
  readonly timeoutMs: number
  readonly maxBytes: number
  /** A server in the private network that nobody may be sent to. */
  readonly trap: string
}

/** What a good answer holds, so that another one is noticed. */
export const FINE = '{"fine":true,"price":12.50}'
const MEBIBYTE = 1024 * 1024

const head = (...lines: string[]): string =>
  `${['HTTP/1.1 200 OK', 'content-type: application/json', ...lines].join('\r\n')}\r\n\r\n`
const whole = (body: string | Buffer, ...lines: string[]): Buffer =>
  Buffer.concat([Buffer.from(head(`content-length: ${Buffer.byteLength(body)}`, ...lines)), Buffer.from(body)])
const statusOnly = (status: string, ...lines: string[]): string =>
  `${[`HTTP/1.1 ${status}`, ...lines, 'content-length: 0'].join('\r\n')}\r\n\r\n`
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
const CHUNKED = head('transfer-encoding: chunked')

const says =
  (bytes: string | Buffer) =>
  (peer: Peer): void =>
    peer.write(bytes)

/** Says this, and closes the connection. */
const saysAndCloses =
  (bytes: string | Buffer) =>
  (peer: Peer): void => {
    peer.write(bytes)
    peer.end()
  }

const fine: readonly Manner[] = [
  { name: 'answers at once', read: 'ok', write: 'Executed', answer: says(whole(FINE)) },
  {
    name: 'answers in pieces of one byte',
    read: 'ok',
    write: 'Executed',
    answer(peer) {
      peer.write(head(`content-length: ${FINE.length}`))
      let at = 0
      peer.every(1, () => {
        peer.write(FINE.charAt(at++))
        return at < FINE.length
      })
    },
  },
  {
    name: 'sends a second answer that nobody asked for',
    read: 'ok',
    write: 'Executed',
    answer: says(Buffer.concat([whole(FINE), whole('{"poison":true}')])),
  },
]

const slow = ({ timeoutMs }: Surroundings): readonly Manner[] => {
  const late = { read: 'timeout', write: 'Indeterminate' } as const
  return [
    { ...late, name: 'answers too late', answer: (peer) => peer.after(timeoutMs + 300, () => peer.write(whole(FINE))) },
    { ...late, name: 'never answers', answer: () => undefined },
    {
      ...late,
      name: 'drips its head for ever',
      answer(peer) {
        peer.write('HTTP/1.1 200 OK\r\nx-slow: ')
        peer.every(25, () => peer.write('a'))
      },
    },
    {
      ...late,
      name: 'drips its body for ever',
      answer(peer) {
        peer.write(CHUNKED)
        peer.every(25, () => peer.write(chunk('1')))
      },
    },
    {
      ...late,
      name: 'sends chunk extensions for ever',
      answer(peer) {
        peer.write(`${CHUNKED}1;`)
        peer.every(25, () => peer.write('x'.repeat(4096)))
      },
    },
  ]
}

const tooMuch = ({ maxBytes }: Surroundings): readonly Manner[] => {
  const large = { read: 'response_too_large', write: 'Indeterminate' } as const
  return [
    { ...large, name: 'announces ten gigabytes', answer: says(head('content-length: 10000000000')) },
    { ...large, name: 'sends one byte too many', answer: says(whole(`"${'a'.repeat(maxBytes - 1)}"`)) },
    {
      ...large,
      name: 'streams chunks without end',
      answer(peer) {
        peer.write(CHUNKED)
        peer.flood(chunk('a'.repeat(65_536)))
      },
    },
    {
      ...large,
      name: 'streams without a length, without end',
      answer(peer) {
        peer.write(head('connection: close'))
        peer.flood('a'.repeat(65_536))
      },
    },
    {
      ...large,
      name: 'sends a head without end',
      answer(peer) {
        peer.write('HTTP/1.1 200 OK\r\n')
        peer.flood(`x-more: ${'a'.repeat(8_000)}\r\n`)
      },
    },
    {
      ...large,
      name: 'sends a head of a megabyte',
      answer: says(whole(FINE, `x-more: ${'a'.repeat(MEBIBYTE)}`)),
    },
  ]
}

const garbage: readonly Manner[] = (
  [
    ['speaks another protocol', saysAndCloses('SSH-2.0-OpenSSH_9.6\r\n')],
    ['answers with binary noise', saysAndCloses(Buffer.from(Array.from({ length: 512 }, (_, at) => (at * 151) % 251)))],
    ['answers with a page', says(whole('<!doctype html><title>Sign in</title>'))],
    ['answers with broken UTF-8', says(whole(Buffer.from([0x22, 0xff, 0xfe, 0xc3, 0x22])))],
    ['answers with half a JSON', says(whole('{"fine":'))],
    ['packs what was not to be packed', says(whole(gzipSync(Buffer.alloc(MEBIBYTE)), 'content-encoding: gzip'))],
    ['sends 1xx heads for ever', (peer: Peer) => peer.flood('HTTP/1.1 100 Continue\r\n\r\n'.repeat(20))],
    ['gives two lengths', says(head('content-length: 2', 'content-length: 27') + FINE)],
    ['gives a length and chunks', says(head('content-length: 27', 'transfer-encoding: chunked') + chunk(FINE))],
    ['fails', says(statusOnly('500 Internal Server Error'))],
  ] as const
).map(([name, answer]) => ({ name, answer, read: 'endpoint_error', write: 'Indeterminate' }))

/** Nests deeper than we follow. To a read that is no answer; a write it has performed all the same, and says so in JSON. */
const deep: Manner = {
  name: 'nests ten thousand deep',
  read: 'endpoint_error',
  write: 'Executed',
  answer: says(whole('['.repeat(10_000) + ']'.repeat(10_000))),
}

const redirects = ({ trap }: Surroundings): readonly Manner[] =>
  [
    ['301 Moved Permanently', trap],
    ['302 Found', 'http://169.254.169.254/latest/meta-data/'],
    ['307 Temporary Redirect', trap],
    ['308 Permanent Redirect', trap],
  ].map(([status = '', location]) => ({
    name: `redirects to a private address (${status.slice(0, 3)})`,
    read: 'endpoint_error',
    write: 'Indeterminate',
    answer: says(statusOnly(status, `location: ${location}`)),
  }))

const closes: readonly Manner[] = [
  ...(
    [
      ['closes without a word', (peer: Peer) => peer.end()],
      ['closes in the middle of its head', saysAndCloses('HTTP/1.1 200 OK\r\ncontent-le')],
      ['closes in the middle of its body', saysAndCloses(`${head('content-length: 100')}{"fine":`)],
      ['closes in the middle of a chunk', saysAndCloses(`${CHUNKED}40\r\n{"fine":`)],
      [
        'resets in the middle of its body',
        (peer: Peer) => {
          peer.write(`${head('content-length: 100')}{"fine":`)
          peer.after(5, peer.reset)
        },
      ],
    ] as const
  ).map(([name, answer]) => ({ name, answer, read: 'unreachable', write: 'Indeterminate' }) as const),
  { name: 'is not there', read: 'unreachable', write: 'FailedRetryable', answer: null },
]

export const mannersIn = (surroundings: Surroundings): readonly Manner[] => [
  ...fine,
  ...slow(surroundings),
  ...tooMuch(surroundings),
  ...garbage,
  deep,
  ...redirects(surroundings),
  ...closes,
]
