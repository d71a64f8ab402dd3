// What a channel consists of. The rest of this module works on drivers and names no channel; drivers.ts lists them.
import type { ChannelKind, Language } from '@tether/contract'
import type { z } from 'zod'
import type { RequestHead } from '../../kernel/http/index.ts'
import type { ProveSigned, Route } from '../../tenancy/access/index.ts'
import type { AnyoneAsking, Context, House } from '../../tenancy/context/index.ts'
import type { Card } from './card.ts'
import type { Clicked, ClickRow } from './click-queries.ts'
import type { ChannelRow } from './queries.ts'
import type { Refused } from './transport.ts'
import type { NotHeard } from './words.ts'

/**
 * The methods take the secrets and the request of their own driver. Method parameters are bivariant, so every driver is a `Driver`:
 * the callers pass each driver only the secrets that it returned itself, and a request that its schema checked.
 */
export type Driver<Secrets extends object = object, Request extends z.ZodType = z.ZodType> = {
  readonly kind: ChannelKind
  /** For people. */
  readonly name: string
  readonly settings: DriverSettings<Secrets, Request>
  readonly form: DriverForm
  /** What to do about the faults that only this channel has, by code. */
  readonly faults: Readonly<Record<string, string>>
  post(house: House, to: Connection<Secrets>, draft: Draft): Promise<Written>
  /** Rewrites a message. Where the channel cannot, the outcome of a write is a second message. */
  update?(house: House, to: Connection<Secrets>, draft: Draft, at: MessageAddress): Promise<Written>
  /** Sends a text that is about no write. Returns the fault, or null. */
  say(house: House, to: Connection<Secrets>, text: string): Promise<string | null>
  readonly clicks?: DriverClicks<Secrets>
}

/** A channel of a workspace, with its credentials opened. */
export type Connection<Secrets extends object = object> = Pick<ChannelRow, 'place' | 'teamId'> & {
  readonly tenantId: number
  readonly secrets: Secrets
}

export type Draft = { readonly card: Card; readonly postId: string; readonly isReminder: boolean }

export type MessageAddress = { readonly place: string; readonly message: string }

export type Written =
  /** Without an address, the message cannot be rewritten. */
  | { readonly ok: true; readonly at: MessageAddress | null }
  /** The message cannot be written any more. */
  | { readonly ok: 'gone'; readonly fault: string }
  /** `pauseSeconds` is for how long the channel rests, and 0 where only this message was refused. */
  | Refused

type Documented = Pick<Route, 'summary' | 'description'>

export type DriverSettings<Secrets extends object, Request extends z.ZodType> = {
  readonly request: Request
  readonly view: z.ZodType
  /** What the reference says about the routes. */
  readonly docs: {
    readonly read: Documented
    readonly set: Documented & Pick<Route, 'errors' | 'example'>
    readonly remove: Documented
    readonly test: Documented
  }
  /** The members of the view that only this channel has. */
  describe(ctx: Context, row: ChannelRow | undefined): object
  /** Throws a refusal if the channel cannot work. A request may leave out what `before` has. */
  check(ctx: Context, asked: z.output<Request>, before: ChannelRow | undefined): Promise<Checked<Secrets>>
}

export type Checked<Secrets extends object> = Omit<Connection<Secrets>, 'tenantId'>

export type Text = Readonly<Record<Language, string>>

/** The channel on the page of the console. */
export type DriverForm = {
  readonly lead: Text
  readonly guide?: { readonly href: `/docs/${string}`; readonly label: Text }
  readonly fields: readonly DriverField[]
  readonly save: Text
  readonly saved: Text
}

export type DriverField = {
  /** Of the member of the request. */
  readonly name: string
  readonly label: Text
  readonly hint?: Text
  /** A field without it shows the place. */
  readonly isSecret?: boolean
  /** The request leaves it out where the field is empty. */
  readonly isKept?: boolean
  readonly example: string
}

/** Decisions by click. */
export type DriverClicks<Secrets extends object> = {
  readonly answer: z.ZodType
  readonly docs: Documented
  /** Proves that the channel of this workspace sent the request. The click is null if the request is not about a button of ours. */
  read(ctx: Context<AnyoneAsking>, prove: ProveSigned, sent: ClickRequest): Promise<ProvenClick>
  /** The e-mail address of the member who clicked. */
  findAddress(house: House, to: Connection<Secrets>, click: ClickRow): Promise<MemberAddress>
  /** Sends a text that only the member who clicked sees. Returns the fault, or null. */
  tell(house: House, to: Connection<Secrets>, click: ClickRow, text: string): Promise<string | null>
}

export type ClickRequest = { readonly tenantId: string; readonly bytes: Buffer; readonly head: RequestHead }
export type ProvenClick = { readonly tenantId: number; readonly clicked: Clicked | null }

export type MemberAddress =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly why: NotHeard }
  /** The other side cannot say at present. */
  | { readonly ok: null; readonly fault: string; readonly pauseSeconds: number }

export type ClickDriver = Driver & { readonly clicks: DriverClicks<object> }

export const hasClicks = (driver: Driver): driver is ClickDriver => driver.clicks !== undefined

/** The path that the clicks of a channel come to. */
export const clicksPath = (kind: ChannelKind, tenantId: string | number) =>
  `/v1/notifications/${kind}/interactions/${tenantId}` as const

/** `slack_clicks` does not store which channel a click came from. A second driver with clicks needs a column for it first. */
export function findClickDriver(drivers: readonly Driver[]): ClickDriver | undefined {
  const [driver, ...others] = drivers.filter(hasClicks)
  if (others.length > 0) throw new Error('Only one driver can have clicks: slack_clicks has no column for the kind.')
  return driver
}
