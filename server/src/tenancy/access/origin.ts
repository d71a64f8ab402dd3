import { type Refusal, refuse } from '../../kernel/http/index.ts'

/**
 * A publishable key works only from a registered page. A request without an origin is refused like one from a foreign
 * page.
 */
export function refusedOrigin(origin: string | undefined, registered: readonly string[]): Refusal | null {
  if (origin !== undefined && registered.includes(origin)) return null
  const named = origin === undefined ? 'This request has no Origin header' : `${origin.slice(0, 200)} is not registered`
  return refuse('origin_not_allowed', `${named}. Register the page’s origin with PUT /v1/origins.`)
}

const ALLOWED =
  'content-type, x-api-key, authorization, x-service-customer-token, x-service-upstream-token, x-client-surface, last-event-id'
const EXPOSED = 'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset'

/** Refusals echo the origin as well, so that the widget can read what is wrong and show it. */
export const corsHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': EXPOSED,
  'cross-origin-resource-policy': 'cross-origin',
  vary: 'origin',
})

export const preflightHeaders = (origin: string, methods: readonly string[]): Record<string, string> => ({
  ...corsHeaders(origin),
  'access-control-allow-headers': ALLOWED,
  'access-control-allow-methods': methods.join(', '),
  'access-control-max-age': '600',
})
