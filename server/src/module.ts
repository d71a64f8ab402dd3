// A module is a value that adds a capability to the core. `modules.ts` lists the modules, and `app.ts` opens them.
import type { Core } from './core.ts'
import { type Offers, UNOPENED } from './offers.ts'
import type { Page } from './pages/console-kit/index.ts'
import type { Route } from './tenancy/access/index.ts'
import type { Duty } from './tenancy/jobs/index.ts'
import type { SealedRows } from './tenancy/sealing/index.ts'

export type Opened<Parts> = {
  readonly parts: Parts
  readonly jobs?: readonly Duty[]
  /** The process will stop soon and still serves: sends callers to other instances. */
  drain?(): void
  /** Ends requests that would never end by themselves. */
  letGo?(): void
  /** Waits for work that goes on after its request was answered. */
  settled?(): Promise<void>
  close?(): Promise<void>
}

/** Runs with what follows its name on the command line, and returns the exit code. `open` opens the service without its port. */
export type Command = (
  args: readonly string[],
  open: () => Promise<Pick<Core, 'house' | 'rooms'> & { close(): Promise<void> }>,
) => Promise<number>

type Declared<Parts> = {
  /** The name of its folder. */
  readonly name: string
  /** The modules whose door it imports. Each stands before it in the list. */
  readonly needs?: readonly Module[]
  /** Opens nothing. The offers may call `parts` once the module is open. */
  offers?(parts: () => Parts): Offers
  /** The rows that are re-encrypted when the encryption key is rotated. */
  readonly sealed?: readonly SealedRows[]
  /** By name, for `node server/start.mjs NAME`. */
  readonly commands?: Readonly<Record<string, Command>>
  open?(core: Core, partsOf: PartsOf): Opened<Parts>
  /** `pages` are the console pages of the modules before it. To describe routes, it is called with parts that cannot be used. */
  routes?(parts: Parts, pages: readonly Page[]): readonly Route[]
  /** Its pages of the console. */
  pages?(parts: Parts): readonly Page[]
}

declare const held: unique symbol
export type Module<Parts = unknown> = Pick<Declared<unknown>, 'name' | 'needs' | 'sealed' | 'commands'> & {
  /** The routes and pages of a module that has not been opened, for the reference. */
  describe(pages: readonly Page[]): Served
  /** Starts the module in one service: its offers first, then `open`. */
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
        if (opened === undefined) throw new Error(`The module ${listed.name} was used before it was open.`)
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

/** Makes something of each module, which gets the pages of the modules before it. */
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
