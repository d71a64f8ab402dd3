import { type Endpoint, type Method, type RequestHead, refuse, shapeCheck } from '../../kernel/http/index.ts'
import type { Asking, House } from '../context/index.ts'
import { refusedCi } from './ci.ts'
import type { Gate } from './gate.ts'
import { preflightHeaders } from './origin.ts'
import { queryNames } from './query-names.ts'
import { type Declared, KNOWN, type Route, speaksToPages } from './route.ts'

const MEBIBYTE = 1024 * 1024
const SMALL_BODY_MS = 10_000
/** For routes that take more than a mebibyte: a catalog, a picture. */
const LARGE_BODY_MS = 60_000

/** Turns the declared routes into endpoints for the server. Each is behind the gate, and each request is checked. */
export function endpointsOf(routes: readonly Route[], house: House, gate: Gate): Endpoint[] {
  const unmatched = unmatchedAnswer(routes, gate)
  return [...routes.map((route) => endpointOf(route, house, gate, unmatched)), ...preflights(routes)]
}

function endpointOf(route: Route, house: House, gate: Gate, unmatched: Unmatched): Endpoint {
  const checkNames = queryNames(route)
  const checkShape = shapeCheck(route.ownCheck === true ? { ...route, body: undefined } : route)
  return {
    method: route.method,
    path: route.path,
    form: route.form === true || route.signed === true,
    files: route.files === true,
    signed: route.signed !== undefined,
    needsNoKey: route.reach.who === 'anyone',
    isProbe: route.isProbe === true,
    bodyLimit: route.bodyLimit ?? MEBIBYTE,
    bodyMs: (route.bodyLimit ?? MEBIBYTE) > MEBIBYTE ? LARGE_BODY_MS : SMALL_BODY_MS,
    answerBytes: route.answerBytes ?? 0,
    errorForm: route.errorForm?.of,
    readmit: (head) => gate.readmit(route, head),
    async admit(head, carried) {
      if (route.serves?.(head) === false) return await unmatched(head, carried)
      const workspace = route.signedInTo?.(house, head) ?? null
      if (workspace !== null) carried.line = `tenant ${workspace}`
      const isStranger = route.knows?.(house, head) === false
      return await gate.admit(isStranger ? { ...route, lane: 'control' } : route, head, carried)
    },
    // The casts are true because the server passes what this route's own `admit` returned.
    check(asking, parts) {
      checkNames(parts.query)
      refuseAsCi(asking as Asking, route, parts.body)
      checkShape(parts)
    },
    async handle(asking, head, parts) {
      const more = (route.requestsIn?.(parts.body) ?? 1) - 1
      const headers = more > 0 ? await gate.countMore(route, head, more) : undefined
      const call = { ...(parts as Declared<unknown, unknown, unknown>), head }
      const answer = await route.handle({ ...house, asking: asking as Asking }, call)
      return headers === undefined ? answer : { ...answer, headers: { ...headers, ...answer.headers } }
    },
  }
}

/** Before the body's shape: what a key may not do at all is said before what is wrong with it. */
function refuseAsCi(asking: Asking, { reach }: Route, body: unknown): void {
  const refused = reach.who === 'tenant' ? refusedCi(asking.kind, reach.ci, body) : null
  if (refused !== null) throw refused
}

type Unmatched = (head: RequestHead, carried: Parameters<Endpoint['admit']>[1]) => Promise<never>

const methodsByPath = (routes: readonly Route[]): Map<string, Method[]> => {
  const found = new Map<string, Method[]>()
  for (const { path, method } of routes) found.set(path, [...(found.get(path) ?? []), method])
  return found
}

/**
 * We answer preflight only for routes that a page may call. It carries no key, so the answer says only what may be
 * sent.
 */
function preflights(routes: readonly Route[]): Endpoint[] {
  const forPages = routes.filter(speaksToPages)
  return [...methodsByPath(forPages)].map(([path, methods]) => ({
    method: 'OPTIONS',
    path,
    needsNoKey: true,
    bodyLimit: MEBIBYTE,
    bodyMs: SMALL_BODY_MS,
    answerBytes: 0,
    readmit: async () => {},
    admit: async (head, carried) => {
      Object.assign(carried.headers, preflightHeaders(head.headers.origin ?? '*', methods))
    },
    check: () => {},
    handle: async () => ({ status: 204, text: { type: 'text/plain', content: '' } }),
  }))
}

/**
 * Answers a request that matches no route: 401 without a valid key, 405 for another method of a path, otherwise 404.
 */
export function unmatchedAnswer(all: readonly Route[], gate: Gate): Unmatched {
  const routes = all.filter(({ serves }) => serves === undefined)
  const paths = [...methodsByPath(routes)].map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:[a-zA-Z]+/g, '[^/]+')}$`),
    methods,
    open: routes.some((route) => route.path === path && route.reach.who === 'anyone'),
  }))
  return async (head, carried) => {
    const known = paths.find(({ pattern }) => pattern.test(head.path))
    if (known?.open !== true) await gate.admit({ reach: KNOWN, lane: 'control' }, head, carried)
    if (known === undefined) throw refuse('not_found', 'There is no such route. GET /openapi lists them all.')
    const allow = known.methods.map((method) => (method === 'GET' ? 'GET, HEAD' : method)).join(', ')
    throw refuse('method_not_allowed', `This path accepts ${allow}.`, {}, { allow })
  }
}
