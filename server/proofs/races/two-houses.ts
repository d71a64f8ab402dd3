// Two processes' worth of service on one database: nothing that one of them holds in memory can help it.

import { type Named, openDatabase, unlisted } from '../../src/kernel/db/index.ts'
import { MODULES } from '../../src/modules.ts'
import type { Route } from '../../src/tenancy/access/index.ts'
import { type Ask, type NewTenant, type OpenHouse, openHouse, type Reply } from '../../testkit/house.ts'
import { playedModel } from '../../testkit/played-model.ts'

export type Sent = { readonly key: string; readonly body?: object }
/** What the body holds is the caller's claim. */
export type Told<Body> = { readonly status: number; readonly body: Body; readonly code: string | undefined }

export type TwoHouses = {
  readonly operatorKey: string
  readonly routes: readonly Route[]
  tenant(name?: string): Promise<NewTenant>
  /** The same request this many times at once, alternating between the houses. */
  parallel<Body>(times: number, method: string, path: string, ask: (place: number) => Sent): Promise<Told<Body>[]>
  ask<Body>(method: string, path: string, ask?: Ask): Promise<Reply<Body>>
  key: OpenHouse['key']
  rows<Row>(text: string, values?: Named): Promise<Row[]>
  close(): Promise<void>
}

/** As it is told, and not held against its declaration: that is what one of the tests is about. */
async function send<Body>({ app }: OpenHouse, method: string, url: string, { key, body }: Sent): Promise<Told<Body>> {
  const answer = await app.server.inject({
    method: method as 'GET',
    url,
    headers: { 'x-api-key': key },
    ...(body === undefined ? {} : { payload: body }),
  })
  // A stream is no JSON; what it ends with is its own.
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  const parsed = isJson
    ? answer.json<Body & { error?: { code: string } }>()
    : ({} as Body & { error?: { code: string } })
  return { status: answer.statusCode, body: parsed, code: parsed.error?.code }
}

export async function openTwoHouses(more: Record<string, string> = {}): Promise<TwoHouses> {
  const model = playedModel(['Hello.'])
  // Where no mail leaves, a link to sign in is refused, and that is no race.
  const settings = { 'Mail:Transport': 'console', ...more }
  const one = await openHouse({ modules: MODULES, log: 'error', settings, model })
  const { url } = one.database
  // On a server the second house has connections of its own; the embedded database has one for everybody.
  const own =
    url === undefined ? undefined : await openDatabase({ ...LIMITS, at: { url, poolSize: 8, prepared: true } })
  const beside = own === undefined ? one : { ...one, database: { ...one.database, database: own } }
  const other = await openHouse({ log: 'error', settings, beside, model })
  const houses = [one, other]
  return {
    operatorKey: one.operatorKey,
    routes: one.app.routes,
    tenant: one.tenant,
    key: one.key,
    ask: one.ask,
    parallel: <Body>(times: number, method: string, path: string, ask: (place: number) => Sent) =>
      Promise.all(
        Array.from({ length: times }, (_, place) =>
          send<Body>(houses[place % 2] ?? one, method, path, ask(Math.floor(place / 2))),
        ),
      ),
    rows: <Row>(text: string, values: Named = {}) =>
      one.database.database.rows(unlisted<Row, Named>(`proof.${text.length}_${hashOf(text)}`, text), values),
    async close() {
      await other.close()
      await own?.close()
      await one.close()
    },
  }
}

const LIMITS = { statementTimeoutMs: 30_000, checkoutTimeoutMs: 60_000, warn: () => undefined }

// A prepared statement is known by its name, so another text needs another one.
const hashOf = (text: string): number => [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, 7)
