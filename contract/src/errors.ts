// The closed table of HTTP error codes: a feature throws a code, this table gives its status. The words are the thrower's.
export const ERRORS = {
  invalid_request: 400,
  empty_prompt: 400,
  invalid_image: 400,
  invalid_feedback: 400,
  invalid_period: 400,
  invalid_upstream_token: 400,
  confirmation_required: 400,
  unknown_kind: 400,
  invalid_intent: 400,
  invalid_email: 400,
  invalid_name: 400,
  invalid_endpoint: 400,
  invalid_origin: 400,
  too_many_origins: 400,
  invalid_site_url: 400,
  invalid_brand_color: 400,
  invalid_brand_logo: 400,
  disposable_email: 400,
  invalid_link: 400,
  link_expired: 400,
  link_used: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  invalid_customer_token: 401,
  insufficient_scope: 403,
  email_unconfirmed: 403,
  origin_not_allowed: 403,
  session_not_yours: 403,
  not_a_provider: 403,
  not_found: 404,
  signup_disabled: 404,
  unknown_key: 404,
  tenant_not_found: 404,
  unknown_tool: 404,
  event_not_found: 404,
  session_not_found: 404,
  turn_not_found: 404,
  method_not_allowed: 405,
  ambiguous_prefix: 409,
  idempotency_conflict: 409,
  key_limit_reached: 409,
  last_secret_key: 409,
  provisioned_tenant: 409,
  email_already_used: 409,
  feedback_in_flight: 409,
  user_link_conflict: 409,
  already_confirmed: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  embed_mail_limit: 429,
  plan_quota_exceeded: 429,
  internal_error: 500,
  secret_unreadable: 503,
  signup_unavailable: 503,
  database_unavailable: 503,
  model_unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERRORS

/** Members that an error body may carry beside code and message. */
export type ErrorExtras = {
  reason?: string
  resend?: { method: 'POST'; path: string }
  errorId?: string
}

export type ErrorBody = { error: { code: ErrorCode; message: string } & ErrorExtras }
