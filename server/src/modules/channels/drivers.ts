// The list of channels. Only this file imports the folder of a driver.
import type { ChannelKind } from '@tether/contract'
import type { Driver } from './driver.ts'
import type { Kinds } from './post-queries.ts'
import { slack } from './slack/index.ts'
import { teams } from './teams/index.ts'

export const DRIVERS: readonly Driver[] = [slack, teams]

export function driverOf(kind: ChannelKind): Driver {
  const driver = DRIVERS.find((one) => one.kind === kind)
  if (driver === undefined) throw new Error(`No driver sends to channels of the kind ${kind}.`)
  return driver
}

/** After a rollback, the database may have rows of a kind that this version has no driver for: the statements leave them alone. */
export const KINDS: Kinds = {
  kinds: DRIVERS.map(({ kind }) => kind),
  /** Of these, the ones whose messages can be rewritten. */
  rewritable: DRIVERS.filter(({ update }) => update !== undefined).map(({ kind }) => kind),
}
