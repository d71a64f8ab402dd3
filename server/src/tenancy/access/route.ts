import type { ErrorCode, KeyKind, Language, RequestHeaderName } from '@tether/contract'
import type { z } from 'zod'
import type { Answer, BodyCodes, ErrorBody, Method, RequestHead } from '../../kernel/http/index.ts'
import type { AnyoneAsking, Asking, Context, House, OperatorAsking, TenantAsking } from '../context/index.ts'
import type { Lane } from '../limits/index.ts'

/** Who may reach a route. There is no default: a route that names nobody does not compile. */
export type Reach =
  | { readonly who: 'anyone' }
  | { readonly who: 'operator' }
  /** Anyone with a valid credential of any kind. It is for requests that match no route. */
  | { readonly who: 'known' }
  /**
   * These kinds of key only. Kinds in `withSession` also need a signed-in person, who may come with a
   * secret key, too. A CI key reaches it on the terms of `ci`.
   */
  | {
      readonly who: 'tenant'
      readonly kinds: readonly Exclude<KeyKind, CiKind>[]
      readonly withSession?: readonly KeyKind[]
      readonly ci?: CiTerms
    }

type CiKind = 'ci' | 'ci_replace'

/** What the body of a CI key must be. Without a member of these it may be any: the route only reads. */
export type CiTerms = {
  /** It names the repository that it comes from, or is `ci_source_required`. */
  readonly source?: true
  /** Members that make more of the call than a draft: with one of them it is `ci_draft_only`. */
  readonly draftWithout?: readonly string[]
  /** `replace: true` needs a key that was made with `allowReplace`, or is `ci_replace_not_allowed`. */
  readonly replace?: true
}

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

type DeclaredAnswer = {
  readonly schema?: z.ZodType
  /** The content type of an answer that is not JSON. */
  readonly text?: string
  /** The `data:` of each event of an answer that is a stream. */
  readonly event?: z.ZodType
  readonly description?: string
}

type FrontPageLine = Readonly<Record<Language, string>> & {
  /** The page lists its lines in this order. */
  readonly order: number
  /** Whether this deployment serves it; without it, always. */
  readonly isShown?: (settings: House['settings']) => boolean
}

type RouteDeclaration<
  R extends Reach = Reach,
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> = {
  readonly method: Method
  readonly path: `/${string}`
  readonly reach: R
  readonly lane: Lane
  /** True if the route reads the customer and upstream tokens that travel with a turn; `upstream` if it reads the second alone. */
  readonly tokens?: boolean | 'upstream'
  /** True if a page may call it, although no publishable key reaches it. */
  readonly forPages?: boolean
  readonly summary: string
  readonly description?: string
  /** The route exists for such requests only; any other is answered as if there were none. */
  readonly serves?: (head: RequestHead) => boolean
  /** Throws where the deployment has turned off what the route is for. That is said before what a key may not do. */
  readonly mustBeOn?: () => void
  /** Its line on the page at the bare address, for a page without parameters that a visitor may open. */
  readonly onFrontPage?: FrontPageLine
  /** The heading in the reference. */
  readonly group: string
  /** True if a load balancer asks it whether this instance works. A flood of other requests must not delay the answer. */
  readonly isProbe?: boolean
  /** True for what is no part of the interface: a part of a page, or what one other service sends. It is served, but the reference does not list it. */
  readonly unlisted?: boolean
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** True if the handler checks the body's shape itself, because its answer to a wrong one has a form of its own. */
  readonly ownCheck?: boolean
  /** True if its body is a form of a page and not JSON. */
  readonly form?: boolean
  /** True for a form that may hold files. */
  readonly files?: boolean
  /**
   * Of a form of somebody who is signed in to a page: whether a cookie came along that we have made. Whoever has none is counted by
   * their address, before a byte of the body is read.
   */
  readonly knows?: (house: House, head: RequestHead) => boolean
  /**
   * Of a page: the workspace of the person who is signed in to it, by a cookie that we sealed, or null. It is read for every request
   * and without the database. Their requests do not wait with those of strangers.
   */
  readonly signedInTo?: ((house: House, head: RequestHead) => number | null) | undefined
  /** For a form (`json` if it is none) that its sender signs, instead of sending a key. The handler gets its bytes as they came. */
  readonly signed?: true | 'json'
  /**
   * The paths of this route that the service may call itself, at its own public address. Only for a route that is `signed` and gives
   * its caller no authority: otherwise a tenant could borrow the service's. It has no `g` flag, and matches the whole path and query.
   */
  readonly ownDoor?: RegExp
  /** How many requests a body stands for, where that may be more than one: each counts against the lane. It throws where that is too many. */
  readonly requestsIn?: (body: unknown) => number
  /** In bytes. The default is 1 MiB. */
  readonly bodyLimit?: number
  /** How large its answer may be, where that is more than a mebibyte: it is counted before it is made. */
  readonly answerBytes?: number
  /** The error code for a part of the path that has the wrong shape, if it is not `invalid_request`. */
  readonly pathCodes?: Readonly<Record<string, ErrorCode>>
  /** The error code for a member of the body that has the wrong shape, if it is not `invalid_request`. */
  readonly bodyCodes?: BodyCodes
  /** The headers that it reads, besides those that follow from `reach`, `tokens` and `forPages`. */
  readonly headers?: readonly RequestHeaderName[]
  readonly answers: Readonly<Record<number, DeclaredAnswer>>
  /** The form of its errors, where its clients know another than ours. */
  readonly errorForm?: {
    readonly schema: z.ZodType
    readonly of: (body: ErrorBody, status: number) => unknown
  }
  /** The errors of this route, beyond those that every route may answer. */
  readonly errors?: readonly ErrorCode[]
  readonly example?: {
    readonly params?: Record<string, string>
    readonly query?: Record<string, string>
    readonly body?: unknown
    readonly answer?: unknown
  }
  readonly handle: (
    ctx: Context<AskingOf<R>>,
    call: Declared<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<Answer>
}

/** A declaration with its types erased, for routing, the key table and the reference. */
export type Route = Omit<RouteDeclaration, 'handle'> & {
  readonly handle: (ctx: Context<Asking>, call: Declared<unknown, unknown, unknown>) => Promise<Answer>
}

/**
 * Declares a route once for everything: routing, checking, the closed key table, rate lanes and OpenAPI. The cast
 * erases the types that the compiler has just checked; `admit` and `check` make them true at run time.
 */
export const route = <
  const R extends Reach,
  Params extends z.ZodType = z.ZodType<Record<string, never>>,
  Query extends z.ZodType = z.ZodType<Record<string, never>>,
  Body extends z.ZodType = z.ZodType<undefined>,
>(
  declaration: RouteDeclaration<R, Params, Query, Body>,
): Route => declaration as unknown as Route

/** True if we answer preflight for the route and echo the origin. */
export const speaksToPages = ({ reach, forPages }: Pick<Route, 'reach' | 'forPages'>): boolean =>
  forPages === true || (reach.who === 'tenant' && reach.kinds.includes('publishable'))

/** Every kind of key that a route lets in without a session. */
export const kindsReaching = (reach: Extract<Reach, { who: 'tenant' }>): readonly KeyKind[] =>
  reach.ci === undefined ? reach.kinds : [...reach.kinds, 'ci', 'ci_replace']

/** For a route that reads what a pipeline compares with. */
export const SECRET_AND_CI = { who: 'tenant', kinds: ['secret'], ci: {} } as const
export const SECRET_ONLY = { who: 'tenant', kinds: ['secret'] } as const
export const PROVIDER = { who: 'tenant', kinds: ['provider'] } as const
export const OPERATOR = { who: 'operator' } as const
export const KNOWN = { who: 'known' } as const
export const ANYONE = { who: 'anyone' } as const

/** Every header that the route reads, besides the key. */
export const headersReadBy = (route: Pick<Route, 'headers' | 'tokens' | 'reach' | 'forPages'>): RequestHeaderName[] => [
  ...(route.headers ?? []),
  ...(route.tokens === true ? (['X-Service-Customer-Token'] as const) : []),
  ...(route.tokens === true || route.tokens === 'upstream' ? (['X-Service-Upstream-Token'] as const) : []),
  ...(route.reach.who === 'tenant' && route.reach.withSession !== undefined
    ? (['X-Service-User-Session'] as const)
    : []),
  ...(speaksToPages(route) ? (['Origin'] as const) : []),
]

/** For whom a secret key acts. */
export const ACTING = ['X-Service-User-Id', 'X-Service-User-Role', 'X-Service-Scope-Id'] as const

/** Whether the service may call this path and query of its own public address. */
export const isOwnDoor = (routes: readonly Route[], path: string): boolean =>
  routes.some(({ ownDoor, signed }) => signed !== undefined && ownDoor?.test(path) === true)
