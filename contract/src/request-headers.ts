type RequestHeader = { readonly description: string; readonly example?: string }

/** Every header that a route reads besides the key, as the reference tells it. */
export const REQUEST_HEADERS = {
  'X-Service-User-Id': {
    description:
      'The person in whose name a secret key asks or decides: their id in your own system, a positive integer. Read from secret keys only.',
    example: '7',
  },
  'X-Service-User-Role': {
    description: 'That person’s role, passed to your endpoint; `api`, unless set. Read from secret keys only.',
  },
  'X-Service-Scope-Id': {
    description:
      'The branch or location that a secret key acts in, a positive integer. Your endpoint gets it as `tenant.scope_id`. Read from secret keys only.',
  },
  'X-Service-User-Session': {
    description:
      'The session of a signed-in person (`tus_…`), who then acts instead of anybody whom the other headers name. Read from inbox and secret keys, on the routes of approvals.',
  },
  'X-Service-Customer-Token': {
    description:
      'Who the signed-in customer is: a token that your server minted (`@tether/sdk`). Without it the request is a guest’s.',
  },
  'X-Service-Upstream-Token': {
    description: 'The signed-in person’s own token for your API. It is passed on, never kept and never logged.',
  },
  'X-Client-Surface': { description: '`web` or `mobile`, for telemetry. Anything else counts as unknown.' },
  'Idempotency-Key': {
    description:
      'The same key and the same request return the same action, instead of staging another one. 1 to 255 printable characters.',
  },
  'Last-Event-ID': { description: 'The number of the last frame that arrived, to read the rest of a resumable turn.' },
  Origin: {
    description: 'What a browser sends. A publishable key works from registered origins only.',
    example: 'https://shop.example.com',
  },
  Accept: { description: '`text/csv` returns CSV instead of JSON.' },
  'Accept-Language': { description: 'The page is in Georgian if the browser prefers it to English.' },
} as const satisfies Record<string, RequestHeader>

export type RequestHeaderName = keyof typeof REQUEST_HEADERS
