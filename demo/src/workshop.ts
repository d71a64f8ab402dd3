// A second business: it has an API of its own, with a token, and no endpoint for tools. Its document is imported.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WORKSHOP_DOCUMENT } from './workshop-document.ts'

export type Workshop = { readonly url: string; close(): Promise<void> }

/** No secret: whoever reads docs/guides/import.md calls the workshop with it. */
export const WORKSHOP_TOKEN = 'clay-workshop-token'

/** What a person says of the operations; whatever is not named is left out. */
export const WORKSHOP_DECLARATION = {
  list_classes: { is_write: false, domain: 'classes' },
  get_class: { is_write: false, domain: 'classes' },
  my_booking: { is_write: false, domain: 'classes', requires_customer: true },
  book_places: {
    is_write: true,
    domain: 'classes',
    requires_customer: true,
    outcomes: { '409': 'refused' },
    precondition: {
      tool: 'get_class',
      arguments: { code: { from: 'code' } },
      check: { path: 'free', gte: { from: 'seats' } },
    },
    verify: {
      tool: 'my_booking',
      arguments: { code: { from: 'code' } },
      check: { path: 'seats', gte: { from: 'seats' } },
    },
  },
} as const

const classes = () => [
  { code: 'K-1', title: 'First bowl · პირველი ჯამი', day: '2026-12-05', price: 60, free: 4 },
  { code: 'K-2', title: 'Teapots · ჩაიდნები', day: '2026-12-12', price: 90, free: 2 },
  { code: 'K-3', title: 'Glazes · ჭიქურები', day: '2026-12-19', price: 75, free: 0 },
]

type Said = { readonly status: number; readonly body: unknown }
type Asked = { readonly method: string; readonly path: string; readonly customer: string; readonly key: string }

const no = (status: number, message: string): Said => ({ status, body: { message } })

/** What one workshop remembers: the places that are left, who has some, and which requests it has performed. */
function openBook() {
  const planned = classes()
  const booked = new Map<string, number>()
  const performed = new Map<string, Said>()

  const placesOf = (customer: string, code: string) => booked.get(`${code} ${customer}`) ?? 0

  function book({ customer }: Asked, code: string, seats: unknown): Said {
    const found = planned.find((one) => one.code === code)
    if (found === undefined) return no(404, `There is no class ${code}. · გაკვეთილი ${code} არ არის.`)
    if (typeof seats !== 'number' || !Number.isInteger(seats) || seats < 1) return no(422, 'Say for how many people.')
    if (found.free < seats) return no(409, `Only ${found.free} places of ${code} are free.`)
    found.free -= seats
    const all = placesOf(customer, code) + seats
    booked.set(`${code} ${customer}`, all)
    return { status: 200, body: { code, seats: all } }
  }

  return function answer(asked: Asked, body: { readonly seats?: unknown }): Said {
    const { method, path, customer, key } = asked
    const [, first, code = '', last] = path.toUpperCase().split('/')
    if (first !== 'CLASSES') return no(404, 'There is nothing at this address.')
    if (method === 'GET' && code === '') return { status: 200, body: { classes: planned } }
    const found = planned.find((one) => one.code === code)
    if (method === 'GET' && last === undefined)
      return found === undefined
        ? no(404, `There is no class ${code}. · გაკვეთილი ${code} არ არის.`)
        : { status: 200, body: found }
    if (last !== 'BOOKING' || customer === '') return no(403, 'Only a customer who is signed in has places here.')
    if (method === 'GET') return { status: 200, body: { code, seats: placesOf(customer, code) } }
    // As any careful API does: what came under this key is answered again and not done again.
    const said = performed.get(key) ?? book(asked, code, body.seats)
    if (key !== '') performed.set(key, said)
    return said
  }
}

export async function openWorkshop(): Promise<Workshop> {
  const book = openBook()
  const server = createServer((request, response) => {
    answer(request).then(
      (said) => send(response, said),
      () => send(response, no(400, 'The body is not JSON.')),
    )
  })

  async function answer(request: IncomingMessage): Promise<Said> {
    const { method = '', url: path = '', headers } = request
    if (path === '/openapi.json') return { status: 200, body: WORKSHOP_DOCUMENT }
    if (headers.authorization !== `Bearer ${WORKSHOP_TOKEN}`) return no(401, 'Send the token of the workshop.')
    const text = Buffer.concat(await request.toArray()).toString()
    const { 'x-service-customer-id': customer, 'idempotency-key': key } = headers
    const asked = { method, path, customer: String(customer ?? ''), key: String(key ?? '') }
    return book(asked, text === '' ? {} : (JSON.parse(text) as { seats?: unknown }))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function send(response: ServerResponse, { status, body }: Said): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
