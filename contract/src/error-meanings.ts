import type { ErrorCode } from './errors.ts'

// What each code of the closed table means for whoever receives it. The message of an answer is about that one request;
// these words are about the code, for the reference page of errors.

type Meaning = { readonly happened: string; readonly next: string }

const KEY_HEADER = 'Send a live key as `X-Api-Key`, or as `Authorization: Bearer`.'
const NEW_LINK = 'Ask for a new one: `POST /v1/account/confirmation`, or `POST /v1/signup/recover` for a lost key.'
const RETRY = 'Nothing was changed. Try again after a pause'

export const ERROR_MEANINGS = {
  invalid_request: {
    happened:
      'A parameter, a header or a member of the body is missing, unknown or has the wrong form. Or the request contains a NUL character or half a surrogate pair.',
    next: 'Correct what the message names. The same request would be refused again.',
  },
  empty_prompt: { happened: 'The question is missing or blank.', next: 'Send a `prompt` with text.' },
  invalid_image: {
    happened: 'The picture cannot be used; `reason` says why.',
    next: 'Send a JPEG, PNG or WebP within the size limit, or leave it out.',
  },
  invalid_feedback: {
    happened: 'The rating is not `up` or `down`, or its `sessionId` or `requestId` is missing.',
    next: 'Send all three as the answer of the turn gave them.',
  },
  invalid_period: {
    happened: 'The period ends before it begins, is too long, or a date cannot be read.',
    next: 'Send dates such as `2026-11-01`, in order.',
  },
  invalid_upstream_token: {
    happened: '`X-Service-Upstream-Token` is empty, too long, repeated or not a plain token.',
    next: 'Send the person’s token once and alone, or leave the header out.',
  },
  confirmation_required: {
    happened: 'The request deletes or revokes something for good, and `confirm` does not repeat the name exactly.',
    next: 'Send the workspace’s name, letter by letter, as `confirm`.',
  },
  unknown_kind: {
    happened: 'There is no kind of key of this name that can be issued.',
    next: 'Use a kind that the message names.',
  },
  invalid_intent: {
    happened: 'The intent is not one that the service knows.',
    next: 'Send an `intent` that the message names.',
  },
  invalid_email: {
    happened: 'The text cannot be an e-mail address.',
    next: 'Send one address such as `name@example.com`.',
  },
  invalid_name: {
    happened: 'The name is missing, too long or has signs that cannot be shown.',
    next: 'Send a plain name on one line.',
  },
  invalid_endpoint: {
    happened: 'The address is not absolute HTTPS, or the service may not call it.',
    next: 'Give a public HTTPS address. For one in the operator’s own network, the operator lists it in `Outbound:AllowedPrivate`.',
  },
  invalid_source: {
    happened: '`source` does not say from which repository the request comes, or not in a form that can be read.',
    next: 'Send `{"kind": "repository", "commit", "path", "dirty"}`, or leave it out. The message names the member.',
  },
  invalid_suggestion: {
    happened: 'The `lexicon` is missing or not 1 to 40 domains with 1 to 200 words each, or a merge would pass that.',
    next: 'Correct what the message names. Where a merge passes the limits, accept with `mode: "replace"` or dismiss.',
  },
  invalid_status: {
    happened: 'Suggestions have no such status.',
    next: 'Use `pending`, `accepted`, `dismissed`, `superseded` or `all`.',
  },
  invalid_origin: {
    happened: 'The text is not an origin: scheme, host and port, with no path or wildcard.',
    next: 'Send it as a browser does, such as `https://shop.example.com`.',
  },
  too_many_origins: {
    happened: 'The list has more origins than a workspace may have.',
    next: 'Remove origins that are no longer used.',
  },
  invalid_site_url: {
    happened: 'The address of the page cannot be read.',
    next: 'Send it with `http://` or `https://`, without a user name.',
  },
  invalid_feed_url: {
    happened: 'The address of the feed cannot be read, or the service may not ask it.',
    next: 'Send a public `https://` address without a user name, or leave `feedUrl` out.',
  },
  site_refused: {
    happened: 'The site’s name leads to a private address, to this machine or nowhere. Nothing was created.',
    next: 'Send the address of a site on the public internet.',
  },
  invalid_brand_color: { happened: 'The colour is not one that the widget can use.', next: 'Send it as `#rrggbb`.' },
  invalid_brand_logo: {
    happened: 'The logo is not a picture that the widget can use.',
    next: 'Send an address or a picture in the form that the message names.',
  },
  invalid_knowledge_name: {
    happened:
      'The name of the document is missing, longer than 80 characters, or has other signs than letters, digits, `-`, `_` and `.`.',
    next: 'Send a name such as `returns-policy.md`.',
  },
  invalid_knowledge_format: {
    happened: 'The format of the document is neither `text` nor `markdown`.',
    next: 'Send one of the two, or leave `format` out for `text`.',
  },
  knowledge_empty: {
    happened: 'The document has no text.',
    next: 'Send `text` with something to answer from.',
  },
  disposable_email: {
    happened: 'The address is at a blocked or disposable domain.',
    next: 'Use an address of your own.',
  },
  invalid_link: { happened: 'The link is incomplete, changed, or was replaced by a newer one.', next: NEW_LINK },
  link_expired: { happened: 'The link is older than it may be.', next: NEW_LINK },
  link_used: {
    happened: 'The link has already done its work.',
    next: '`GET /v1/account/confirmation` shows whether the address is confirmed.',
  },
  notification_refused: {
    happened: 'Slack does not accept the bot token; `reason` is its own word for why.',
    next: 'Copy the bot token of the installed app again (`xoxb-…`), then set it. Nothing was changed.',
  },
  missing_api_key: { happened: 'The request has no key.', next: KEY_HEADER },
  invalid_api_key: {
    happened: 'The key is unknown, revoked or expired.',
    next: 'Use a live key. `POST /v1/signup/recover` mails a link to a new one.',
  },
  invalid_customer_token: {
    happened: 'The customer token is not valid; `reason` says why.',
    next: 'Mint a new one on your server with the workspace’s current customer-token key.',
  },
  invalid_user_session: {
    happened:
      '`X-Service-User-Session` opens nothing; `reason` says why: `closed`, `expired`, `unknown`, `malformed`, or `user_inactive`.',
    next: 'Let the person sign in again. Somebody who is `user_inactive` may no longer act in this workspace.',
  },
  invalid_sign_in_link: {
    happened:
      'The mailed link opens no session; `reason` says why: `spent`, `expired`, `unknown`, `malformed`, or `user_inactive`.',
    next: 'Ask for a new link with `POST /v1/user-sessions/sign-in`.',
  },
  invalid_signature: {
    happened:
      'The request is not signed by the Slack app of this workspace, or its signature is more than five minutes old. Nothing was decided.',
    next: 'Only Slack sends to this address. If clicks fail, set the app’s signing secret again and check the `interactionsUrl` in the app.',
  },
  insufficient_scope: {
    happened: 'This kind of key does not reach this route, or not with this body; `reason` may say why.',
    next: 'Use a kind of key that [does](access.md), or leave out what the message names.',
  },
  email_unconfirmed: {
    happened: 'The workspace’s address is not confirmed, and `reason` says what waits for it.',
    next: 'Open the mailed link. `resend` in the answer says how to get another one.',
  },
  origin_not_allowed: {
    happened: 'The page’s origin is not registered for this publishable key, or the request names none.',
    next: 'Add it with `PUT /v1/origins`.',
  },
  session_not_yours: {
    happened: 'The conversation belongs to another key or customer, or was never issued.',
    next: 'Leave `sessionId` out to begin a new one.',
  },
  not_a_provider: {
    happened: 'The key’s workspace is not a provider, or no longer one.',
    next: 'Ask the operator for the authority, and use the key that comes with it.',
  },
  not_found: { happened: 'There is no such route.', next: 'Look it up in `/swagger` or `/openapi`.' },
  signup_disabled: { happened: 'Sign-up is closed on this deployment.', next: 'Ask its operator for a workspace.' },
  knowledge_disabled: {
    happened: 'Knowledge documents are turned off on this deployment.',
    next: 'Ask its operator to set `Knowledge:Enabled`.',
  },
  preview_disabled: {
    happened: 'Previews are turned off on this deployment.',
    next: 'Ask its operator to set `Preview:Enabled`.',
  },
  sandbox_disabled: {
    happened: 'Sandboxes are turned off on this deployment.',
    next: 'Ask its operator to set `PreviewSandbox:Enabled`, or sign up and use `POST /v1/preview`.',
  },
  knowledge_document_not_found: {
    happened: 'The workspace has no document of this name.',
    next: '`GET /v1/knowledge` lists them.',
  },
  unknown_key: {
    happened: 'The workspace has no live key with this prefix.',
    next: '`GET /v1/account/keys` lists them; for a provider, the list of the same route.',
  },
  tenant_not_found: {
    happened: 'There is no such workspace, or it was deleted.',
    next: 'Check its id. A deleted workspace does not come back.',
  },
  not_a_child_tenant: {
    happened: 'The id is of no business that this provider created.',
    next: '`GET /v1/provider/tenants` lists them.',
  },
  push_not_found: {
    happened: 'The provider has no push with this id, or it is no longer kept.',
    next: '`PUT /v1/provider/configuration` answers the id of each push that it does not finish at once.',
  },
  action_not_found: {
    happened: 'The workspace has no staged write with this id.',
    next: '`GET /v1/actions` lists them by status.',
  },
  user_not_found: {
    happened: 'Nobody with this id is registered in the workspace.',
    next: '`GET /v1/users` lists the people; its `id` is the one to send.',
  },
  unknown_tool: { happened: 'The catalog has no tool of this name.', next: '`GET /v1/tools` lists them.' },
  event_not_found: {
    happened: 'There is no undelivered event with this id: it is unknown, delivered, or no longer kept.',
    next: '`GET /v1/events/deliveries` lists the attempts.',
  },
  session_not_found: {
    happened: 'The workspace has no such conversation.',
    next: 'Check the id. It may already be deleted.',
  },
  upstream_not_found: {
    happened: 'The workspace has no MCP server of this name.',
    next: '`GET /v1/upstreams` lists those that it has.',
  },
  turn_not_found: {
    happened: 'There is no turn of yours with this id that can still be read or stopped.',
    next: 'Send the question again. Only a turn with `resume: true` can be read later, for two minutes.',
  },
  suggestion_not_found: {
    happened: 'The workspace has no such suggestion, or it was decided long ago and is no longer kept.',
    next: '`GET /v1/domain-pack/suggestions?status=all` lists them.',
  },
  method_not_allowed: {
    happened: 'The path exists, but not for this method.',
    next: 'Use a method that the `Allow` header names.',
  },
  ambiguous_prefix: {
    happened: 'Several workspaces have a key with this prefix.',
    next: 'Say which one with `?tenantId=`.',
  },
  idempotency_conflict: {
    happened: 'The `Idempotency-Key` has already been used for a different request.',
    next: 'Use a new key for each new request, and the same key only to repeat one.',
  },
  key_limit_reached: {
    happened: 'The workspace has as many live keys as it may have.',
    next: 'Revoke one that is not in use.',
  },
  last_secret_key: {
    happened: 'This is the only live secret key, and without it nobody could get in.',
    next: 'Rotate it, or issue another one first.',
  },
  provisioned_tenant: {
    happened: 'A provider created this business, so it cannot become a provider.',
    next: 'Make a workspace that signed up, or that the operator created, the provider.',
  },
  email_already_used: {
    happened: 'The address already has as many workspaces as it may have. Aliases and deleted workspaces count.',
    next: '`POST /v1/signup/recover` mails it a link to a new key.',
  },
  feedback_in_flight: { happened: 'The same answer is being rated at this moment.', next: 'Send the rating again.' },
  knowledge_document_exists: {
    happened: 'The workspace already has a document of this name. It was left as it is.',
    next: 'Send `replace: true` to replace it, or delete it first.',
  },
  knowledge_limit_reached: {
    happened: 'The workspace has as many documents as it may have.',
    next: 'Delete one that is no longer needed, or put several into one.',
  },
  user_link_conflict: {
    happened: 'An entry would make two registered people one, or one person two. Nobody was changed.',
    next: 'Correct the ids or the address that the message names.',
  },
  user_email_ambiguous: {
    happened: 'Two registered people share the address, so it does not say whom to invite.',
    next: 'Give each their own address with `PUT /v1/users`, then invite again.',
  },
  already_confirmed: {
    happened: 'The address is already confirmed.',
    next: 'Nothing, or send `email` to move the workspace to another address.',
  },
  suggestion_not_pending: {
    happened: 'The suggestion was accepted, dismissed or superseded already.',
    next: 'Nothing. To change the words, send a new suggestion or `PUT /v1/domain-pack`.',
  },
  preview_in_progress: {
    happened: 'The site of this workspace is being read at the moment.',
    next: 'Wait until it has been read (`GET /v1/preview`), then send the request again if it is still needed.',
  },
  catalog_changed: {
    happened: 'Other requests changed the catalog each time that this one was about to, so nothing was changed.',
    next: 'Send the request again.',
  },
  sandbox_not_ready: {
    happened: 'The site of the sandbox is still being read, or nothing on it could be.',
    next: '`GET /v1/preview/sandbox` says which. Wait for `ready`, or open another sandbox.',
  },
  sandbox_expired: {
    happened: 'The sandbox has passed its lifetime, or has been kept as a workspace.',
    next: 'Open another one, or use the key of the workspace.',
  },
  batch_too_large: {
    happened: 'There are more messages in the batch than `/mcp` takes at once, which is 50.',
    next: 'Send them in several requests.',
  },
  body_too_large: {
    happened: 'The body is larger than the route accepts.',
    next: 'Send less, or in several requests.',
  },
  knowledge_too_large: {
    happened: 'The document is longer than a document may be.',
    next: 'Divide it, by topic if possible.',
  },
  unsupported_media_type: {
    happened: 'The body is declared as something that the route does not read.',
    next: 'Send `Content-Type: application/json`, and the form of a page as the message says.',
  },
  preview_empty: {
    happened: 'Nothing could be read at that address. What was stored before stays.',
    next: 'Open the address in a browser without scripts: what is not there cannot be read. With `reason` `site_challenged` the site turns programs away.',
  },
  rate_limited: {
    happened:
      'There were too many requests, sign-ups or links, or too many writes wait. The message says which limit it is where it is not the route’s own.',
    next: 'Wait as many seconds as `Retry-After` says.',
  },
  embed_mail_limit: {
    happened: 'The workspace has sent as many instructions by mail as it may in an hour.',
    next: 'Try again later, or copy the snippet by hand.',
  },
  invitation_limit: {
    happened: 'The workspace has sent as many invitations as it may in an hour. Nobody was registered.',
    next: 'Wait an hour, or ask the operator to raise `Mail:MaxInvitationsPerHour`.',
  },
  plan_quota_exceeded: {
    happened: 'The turns that the free plan includes in 24 hours are used up.',
    next: 'Wait as many seconds as `Retry-After` says, or change the plan.',
  },
  sandbox_budget_exhausted: {
    happened:
      'This sandbox, or all of them today, have answered as much as this deployment allows; `reason` says which.',
    next: 'Keep the sandbox as a workspace, which lifts both limits, or come back tomorrow.',
  },
  internal_error: {
    happened: 'Something failed in the service.',
    next: 'Report it with the `errorId`; the log has the same one.',
  },
  secret_unreadable: {
    happened: 'A stored secret does not open with the encryption keys of the service. Nothing was sent.',
    next: 'The operator restores the key that the log names as `missingKeyId`.',
  },
  signup_unavailable: {
    happened: 'Sign-up cannot work on this deployment at the moment; `reason` says why.',
    next: `${RETRY}, or ask its operator.`,
  },
  sandbox_busy: {
    happened: 'As many sites as this process reads at a time are being read. Nothing was created.',
    next: `${RETRY} of some seconds.`,
  },
  sandbox_unavailable: {
    happened: 'Sandboxes are not fully set up on this deployment.',
    next: 'Ask its operator to set `PreviewSandbox:IpHashSalt`.',
  },
  mail_not_configured: {
    happened: 'This deployment sends no mail, so nobody can be mailed a link to sign in with.',
    next: 'Ask the operator to set `Mail:Transport`.',
  },
  notification_unavailable: {
    happened: 'Slack did not answer, so the token could not be tried.',
    next: `${RETRY}.`,
  },
  database_unavailable: {
    happened: 'The database does not answer.',
    next: `${RETRY} that grows with each attempt. Whether an earlier write was performed is told by its action.`,
  },
  model_unavailable: { happened: 'The language model failed, or did not answer in time.', next: `${RETRY}.` },
} satisfies Record<ErrorCode, Meaning>
