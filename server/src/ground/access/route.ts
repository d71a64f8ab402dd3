import type { ErrorCode, KeyKind } from '@tether/contract'
import type { z } from 'zod'
import type { Answer, Method, RequestHead } from '../../foundation/http/index.ts'
import type { AnyoneAsking, Asking, Context, OperatorAsking, TenantAsking } from '../context/index.ts'

export type Lane = 'runtime' | 'control' | 'none'

/** Who may reach a route. There is no default: a route that names nobody does not compile. */
export type Reach =
  | { readonly who: 'anyone' }
  | { readonly who: 'operator' }
  /** Whoever holds a valid credential of any kind: for what is no route at all. */
  | { readonly who: 'known' }
  /** These kinds of key, and no other. `withSession` are kinds that need a signed-in person beside the key. */
  | { readonly who: 'tenant'; readonly kinds: readonly KeyKind[]; readonly withSession?: readonly KeyKind[] }

export type Declared<Params, Query, Body> = {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly head: RequestHead
}

type AskingOf<R extends Reach> = R extends { who: 'tenant' }
  ? TenantAsking
  : R extends { who: 'operator' }
    ? OperatorAsking
    : AnyoneAsking

export type RouteDeclaration<
  R extends Reach = Reach,
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> = {
  readonly method: Method
  readonly path: `/${string}`
  readonly reach: R
  readonly lane: Lane
  /** The customer and upstream tokens that travel with a turn are read here. */
  readonly tokens?: boolean
  /** A page may ask, although no publishable key reaches it. */
  readonly forPages?: boolean
  readonly summary: string
  readonly description?: string
  /** The heading under which the reference lists it. */
  readonly group: string
  /** Part of a page rather than of the interface: served, and not listed. */
  readonly unlisted?: boolean
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** The handler holds the body against its shape itself, because it has an answer of its own for one that does not fit. */
  readonly ownCheck?: boolean
  /** Bytes; 1 MiB unless said. */
  readonly bodyLimit?: number
  /** Which code answers when a member of the body has the wrong shape, where that is not `invalid_request`. */
  readonly bodyCodes?: Readonly<Record<string, ErrorCode>>
  readonly answers: Readonly<
    Record<number, { readonly schema?: z.ZodType; readonly text?: string; readonly description?: string }>
  >
  /** Beyond those that every route can answer. */
  readonly errors?: readonly ErrorCode[]
  readonly example?: { readonly params?: Record<string, string>; readonly body?: unknown; readonly answer?: unknown }
  readonly handle: (
    ctx: Context<AskingOf<R>>,
    call: Declared<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<Answer>
}

/** A declaration with its types erased: what routing, the key table and the reference work on. */
export type Route = Omit<RouteDeclaration, 'handle'> & {
  readonly handle: (ctx: Context<Asking>, call: Declared<unknown, unknown, unknown>) => Promise<Answer>
}

/**
 * Declares a route, once, for everything: routing, checking, the default-closed key table, rate lanes and OpenAPI.
 * The cast erases what the declaration has just been checked against; `admit` and `check` make it true at run time.
 */
export const route = <
  const R extends Reach,
  Params extends z.ZodType = z.ZodType<Record<string, never>>,
  Query extends z.ZodType = z.ZodType<Record<string, never>>,
  Body extends z.ZodType = z.ZodType<undefined>,
>(
  declaration: RouteDeclaration<R, Params, Query, Body>,
): Route => declaration as unknown as Route

/** Where preflight is answered, and the origin is echoed. */
export const speaksToPages = ({ reach, forPages }: Pick<Route, 'reach' | 'forPages'>): boolean =>
  forPages === true || (reach.who === 'tenant' && reach.kinds.includes('publishable'))

export const SECRET_ONLY = { who: 'tenant', kinds: ['secret'] } as const
export const OPERATOR = { who: 'operator' } as const
export const KNOWN = { who: 'known' } as const
export const ANYONE = { who: 'anyone' } as const
