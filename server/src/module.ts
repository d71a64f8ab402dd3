// What a module is: a value that adds a capability to the core. `modules.ts` lists them, and `app.ts` opens them.
import type { Core } from './core.ts'
import type { Route } from './ground/access/index.ts'
import type { House } from './ground/context/index.ts'
import type { Duty } from './ground/jobs/index.ts'
import type { Resealed } from './ground/sealing/index.ts'
import { type Offers, UNOPENED } from './offers.ts'
import type { Page } from './surfaces/console-page/index.ts'

export type Opened<Parts> = {
  readonly parts: Parts
  readonly jobs?: readonly Duty[]
  /** The process will stop and still serves: tells those who can to go elsewhere. */
  drain?(): void
  /** Ends what never ends by itself. */
  letGo?(): void
  /** Waits for what has been answered already and is still being done. */
  settled?(): Promise<void>
  close?(): Promise<void>
}

type Declared<Parts> = {
  /** The name of its folder. */
  readonly name: string
  /** The modules whose door it imports. Each stands before it in the list. */
  readonly needs?: readonly Module[]
  /** Opens nothing. What it hands over may ask for `parts` once the service has opened. */
  offers?(parts: () => Parts): Offers
  /** Re-encrypt its sealed rows when the encryption key is rotated. */
  readonly sealed?: readonly ((house: Pick<House, 'db' | 'keyring' | 'log'>) => Promise<Resealed>)[]
  open?(core: Core, partsOf: PartsOf): Opened<Parts>
  /** Called with no parts where routes are only described, and with the console pages of the modules before it. */
  routes?(parts: Parts, pages: readonly Page[]): readonly Route[]
  /** Its pages of the console. */
  pages?(parts: Parts): readonly Page[]
}

declare const held: unique symbol
export type Module<Parts = unknown> = Pick<Declared<unknown>, 'name' | 'needs' | 'sealed'> & {
  /** The routes and pages of a module that has not been opened, for the reference. */
  describe(pages: readonly Page[]): Served
  /** Its part in one service: first what it offers, then what it opens. */
  begin(): Begun<Parts>
  readonly [held]?: Parts
}
export type Begun<Parts = unknown> = {
  readonly offers: Offers
  open(core: Core, partsOf: PartsOf, pages: readonly Page[]): Opened<Parts> & Served
}
type Served = { readonly routes: readonly Route[]; readonly pages: readonly Page[] }
/** The parts of a module that this one needs. */
export type PartsOf = <Parts>(needed: Module<Parts>) => Parts

export function defineModule<Parts = undefined>(declared: Declared<Parts>): Module<Parts> {
  const { offers, open, routes, pages, ...listed } = declared
  const served = (parts: Parts, before: readonly Page[]): Served => ({
    routes: routes?.(parts, before) ?? [],
    pages: pages?.(parts) ?? [],
  })
  return {
    ...listed,
    describe: (before) => served(UNOPENED as Parts, before),
    begin() {
      let opened: Opened<Parts> | undefined
      const parts = () => {
        if (opened === undefined) throw new Error(`The module ${listed.name} is asked before it is open.`)
        return opened.parts
      }
      return {
        offers: offers?.(parts) ?? {},
        open(core, partsOf, before) {
          opened = open?.(core, partsOf) ?? { parts: undefined as Parts }
          return { ...opened, ...served(opened.parts, before) }
        },
      }
    },
  }
}

/** Opens the modules in order. One that needs another finds it open. */
export function openModules(core: Core, modules: readonly (Module & Begun)[]) {
  const parts = new Map<string, unknown>()
  const partsOf = ((needed) => parts.get(needed.name)) as PartsOf
  return inOrder(modules, (one, pages) => {
    if (parts.has(one.name)) throw new Error(`Two modules are called ${one.name}.`)
    const missing = one.needs?.find(({ name }) => !parts.has(name))
    if (missing !== undefined)
      throw new Error(`The module ${one.name} needs ${missing.name}, which does not stand before it in modules.ts.`)
    const opened = one.open(core, partsOf, pages)
    parts.set(one.name, opened.parts)
    return opened
  })
}

/** The routes of modules that are not opened. */
export const describeModules = (modules: readonly Module[]): readonly Route[] =>
  inOrder(modules, (one, pages) => one.describe(pages)).flatMap(({ routes }) => routes)

/** Each with the pages of those before it. */
function inOrder<Any, One extends Served>(modules: readonly Any[], make: (one: Any, pages: readonly Page[]) => One) {
  const made: One[] = []
  for (const one of modules)
    made.push(
      make(
        one,
        made.flatMap(({ pages }) => pages),
      ),
    )
  return made
}
