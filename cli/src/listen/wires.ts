// Where the calls and events of a workspace go: to this machine while somebody listens, and back to where they went afterwards.
import type { Client } from '../../../sdk/src/index.ts'
import { UsageError } from '../command.ts'
import { plain } from '../screen.ts'

type Wire = 'endpoint' | 'webhook'
type Changed = { readonly wire: Wire; readonly before: string | null }

const IS_LISTENING = /\/v1\/listening\/\d+\/deliveries$/

async function read(service: Client, wire: Wire): Promise<string | null> {
  return wire === 'endpoint'
    ? (await service.request('GET /v1/endpoint')).url
    : (await service.request('GET /v1/events/webhook')).url
}

async function place(service: Client, wire: Wire, url: string | null): Promise<void> {
  if (wire === 'endpoint') await service.request('PUT /v1/endpoint', { body: { url } })
  else await service.request('PUT /v1/events/webhook', { body: { url } })
}

type Wanted = {
  readonly target: string
  readonly eventsOnly: boolean
  readonly replace: boolean
}

/** What has to change, so that everything comes here. Says no where it would take something away that somebody set. */
export async function wiresToMove(service: Client, { target, eventsOnly, replace }: Wanted): Promise<Changed[]> {
  const [endpoint, webhook] = [await read(service, 'endpoint'), await read(service, 'webhook')]
  const wires: Changed[] = [
    ...(eventsOnly ? [] : [{ wire: 'endpoint', before: endpoint } as const]),
    // Without a webhook events follow the endpoint.
    ...(eventsOnly || webhook !== null ? [{ wire: 'webhook', before: webhook } as const] : []),
  ]
  const isFree = (url: string | null) => url === null || url === target || IS_LISTENING.test(url)
  const taken = wires.filter(({ before }) => !isFree(before))
  if (taken.length > 0 && !replace) {
    const list = taken.map(({ wire, before }) => `${wire} ${plain(before ?? '')}`).join(' and ')
    throw new UsageError(
      `This workspace has an ${list}. Add --replace to take what goes there until you stop; it is put back then.`,
    )
  }
  // Of a listener that was killed, or whose place this one takes, nobody knows what was before it.
  return wires.map(({ wire, before }) => ({
    wire,
    before: before !== null && IS_LISTENING.test(before) ? null : before,
  }))
}

export async function move(service: Client, wires: readonly Changed[], address: string): Promise<void> {
  for (const { wire } of wires) await place(service, wire, address)
}

/** Only what still leads here: somebody may have set another address meanwhile. */
export async function putBack(service: Client, wires: readonly Changed[], address: string): Promise<void> {
  for (const { wire, before } of wires) if ((await read(service, wire)) === address) await place(service, wire, before)
}
