import type { JsonObject } from '../../kernel/json/index.ts'
import type { Tool } from '../catalog/index.ts'
import { type ApiRequest, requestOf } from './direct/request-of.ts'

/** Where a write goes. */
export type Destination = {
  /** The configured address of the endpoint, the imported API or the MCP server. Null if none is configured. */
  readonly base: string | null
  readonly method: string
  /** The full address without a credential. Null without a base, and if the arguments make no request. */
  readonly address: string | null
}

/** Where a write with these arguments goes if its tool is reached at `base`. */
export function destinationAt(tool: Tool, given: JsonObject, base: string | null): Destination {
  const { http, upstream, parameters } = tool
  if (http === null || upstream) return { base, method: 'POST', address: base }
  const made = requestOf({ http, parameters }, given)
  return { base, method: http.method, address: base === null || !made.ok ? null : urlOf(base, made.request) }
}

/** The address of a request to an imported API. It has a credential in its query only if the request has one. */
export const urlOf = (base: string, { path, query }: Pick<ApiRequest, 'path' | 'query'>): string =>
  `${withoutSlashes(base)}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`

/** Whether both are the same address for this tool. The path of an operation follows its base, with or without a slash. */
export const isSameBase = ({ http, upstream }: Tool, one: string | null, other: string | null): boolean =>
  one === other ||
  (http !== null && !upstream && one !== null && other !== null && withoutSlashes(one) === withoutSlashes(other))

const withoutSlashes = (base: string): string => base.replace(/\/+$/, '')

/**
 * A base address as an approver sees it. The path of an endpoint or an MCP server may be a secret. That of an imported API is not:
 * its document states it.
 */
export function shownBase({ http, upstream }: Tool, base: string | null): string | null {
  const url = base === null ? null : URL.parse(base)
  if (url === null) return null
  return http === null || upstream ? url.origin : withoutSlashes(`${url.origin}${url.pathname}`)
}
