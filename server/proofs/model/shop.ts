// A tenant's endpoint that keeps its promise: it claims each idempotency key, performs it once, and answers the same
// afterwards. What stands before it (a balancer, a network) does not.

import type { EgressCall, EgressResult } from '../../src/kernel/egress/index.ts'
import type { House } from '../../src/tenancy/context/index.ts'
import type { Address } from './words.ts'

export const WEATHERS = [
  /** It answers as it should. */
  'fine',
  /** It refuses what it has not performed yet, and remembers that. */
  'refusing',
  /** 429 from the balancer. */
  'busy',
  /** 500 from the balancer: nothing was performed, but who can tell. */
  'failing',
  /** No answer in time, and nothing performed. */
  'silent',
  /** Performed, and the connection was lost before the answer. */
  'dropped',
  /** No connection at all. */
  'away',
  /** Performed, and something that is no JSON is answered. */
  'garbled',
] as const
export type Weather = (typeof WEATHERS)[number]

/** What the endpoint knows of one order, which is one action and one idempotency key. */
export type Book = { performed: number; refused: boolean; paidBackByHand: boolean }
export const newBook = (): Book => ({ performed: 0, refused: false, paidBackByHand: false })
export const isPaidBack = ({ performed, paidBackByHand }: Book): boolean => performed > 0 || paidBackByHand

/** What the caller hears of a write: yes, no, later, or nothing that tells. */
export type Heard = 'yes' | 'no' | 'later' | 'nothing'

export function write(book: Book, weather: Weather): Heard {
  if (weather === 'busy' || weather === 'away') return 'later'
  if (weather === 'failing' || weather === 'silent') return 'nothing'
  if (weather === 'refusing' && book.performed === 0) book.refused = true
  if (!book.refused && book.performed === 0) book.performed = 1
  if (weather === 'dropped' || weather === 'garbled') return 'nothing'
  return book.refused ? 'no' : 'yes'
}

export type Shop = {
  readonly egress: House['egress']
  /** The books by order number. */
  readonly books: Map<string, Book & { readonly keys: Set<unknown>; readonly sentTo: Set<Address> }>
  /** Of the writes to come, one each; fine afterwards. */
  weathers: Weather[]
  readsFail: boolean
  payBackByHand(number: string): void
  /** Forgets an order, and says how many idempotency keys came for it. */
  close(number: string): number
}

type Envelope = { mode: string; request_id: string; arguments: { number: string } }

/** The endpoint without a network, in place of the way out: an answer costs no time. */
export function openShop(): Shop {
  const books: Shop['books'] = new Map()
  const bookOf = (number: string) => {
    const book = books.get(number) ?? { ...newBook(), keys: new Set<unknown>(), sentTo: new Set<Address>() }
    books.set(number, book)
    return book
  }
  const answer = (call: EgressCall): EgressResult => {
    const { mode, request_id, arguments: given } = JSON.parse(String(call.body)) as Envelope
    const book = bookOf(given.number)
    if (mode === 'read')
      return shop.readsFail ? said(500) : said(200, `{"state":"${isPaidBack(book) ? 'refunded' : 'paid'}"}`)
    // An endpoint performs once per key: another key for the same order is another performance.
    if (!book.keys.has(request_id) && book.keys.size > 0) book.performed++
    book.keys.add(request_id)
    // It answers at both addresses of the proof, and at no other.
    book.sentTo.add(call.url as Address)
    const weather = shop.weathers.shift() ?? 'fine'
    return told(weather, write(book, weather))
  }
  const shop: Shop = {
    books,
    weathers: [],
    readsFail: false,
    payBackByHand: (number) => {
      bookOf(number).paidBackByHand = true
    },
    close: (number) => {
      const { keys } = bookOf(number)
      books.delete(number)
      return keys.size
    },
    egress: {
      request: async (call) => answer(call),
      checkAddress: async (url) => ({ ok: true, url }),
      sockets: () => new Map(),
      close: async () => {},
    },
  }
  return shop
}

const said = (status: number, text = '{}'): EgressResult => ({
  kind: 'answer',
  status,
  headers: {},
  body: Buffer.from(text),
  isCut: false,
  finalUrl: '',
  remoteAddress: '',
  durationMs: 0,
})
const broke = (kind: 'timeout' | 'unreachable', sent: boolean): EgressResult => ({
  kind,
  sent,
  status: null,
  message: 'No answer came.',
  code: null,
  finalUrl: '',
  durationMs: 0,
})

function told(weather: Weather, heard: Heard): EgressResult {
  if (weather === 'away') return broke('unreachable', false)
  if (weather === 'silent') return broke('timeout', true)
  if (weather === 'dropped') return broke('unreachable', true)
  if (weather === 'garbled') return said(200, '<ok>')
  if (weather === 'failing') return said(500)
  if (heard === 'later') return said(429)
  return heard === 'no' ? said(422) : said(200, '{"done":true}')
}
