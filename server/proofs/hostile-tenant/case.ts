import type { Stage } from './stage.ts'
import type { Line, Shot } from './wire.ts'

/** One request, several at once, or what no list of requests can say (a body that never ends); answers the worst status. */
export type Deed = Shot | readonly Shot[] | ((line: Line) => Promise<number>)

/** Made anew for each round, unmeasured: an action, for one, is confirmed only once. */
export type Maker = () => Promise<Deed> | Deed

/**
 * A request that a tenant may send and that should cost no more than its size. `prepare` brings the tenant there (a catalog,
 * a page, an endpoint's answer) and gives the request beside an ordinary one of the same route that is as large.
 */
export type HostileCase = {
  readonly name: string
  /** True if a read may take at most three times as long as beside the harmless side, however long it takes beside a megabyte. */
  readonly calm?: true
  prepare(stage: Stage): Promise<{ readonly hostile: Maker; readonly harmless: Maker }>
}

export const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

/** The piece again and again, up to so many bytes. */
export const repeated = (piece: string, bytes: number): string =>
  piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)))

export const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** An object with so many members, named `<start>0`, `<start>1`… */
export const members = <Item>(count: number, start: string, make: (index: number) => Item): Record<string, Item> =>
  Object.fromEntries(times(count, (index) => [`${start}${index}`, make(index)]))
