import * as contract from '@tether/contract'
import { ANYONE, type Route, route } from '../../../tenancy/access/index.ts'
import type { PreviewRooms } from '../rooms.ts'
import { claimSandbox } from './claim.ts'
import { openSandbox } from './open.ts'
import { readStatus } from './status.ts'

const here = { lane: 'control', group: 'Preview' } as const
const SANDBOX_ONLY = { who: 'tenant', kinds: ['sandbox'] } as const

export const sandboxRoutes = (rooms: PreviewRooms): readonly Route[] => [
  route({
    ...here,
    reach: ANYONE,
    method: 'POST',
    path: '/v1/preview/sandbox',
    summary: 'Try the assistant of a public website, without signing up',
    description:
      'The site is read in the background; `GET` says how far it is. The key is shown once, and reaches the status, the chat and the claim of this sandbox alone. Everything is deleted when it ends.',
    body: contract.SandboxRequest,
    bodyCodes: { siteUrl: 'invalid_site_url', feedUrl: 'invalid_feed_url' },
    answers: { 200: { schema: contract.SandboxOpened } },
    errors: [
      'sandbox_disabled',
      'sandbox_unavailable',
      'invalid_site_url',
      'invalid_feed_url',
      'sandbox_busy',
      'site_refused',
      'rate_limited',
    ],
    example: { body: { siteUrl: 'https://shop.example' } },
    handle: async (ctx, { body }) => ({ status: 200, body: (await openSandbox(ctx, rooms, body)).opened }),
  }),
  route({
    ...here,
    reach: SANDBOX_ONLY,
    method: 'GET',
    path: '/v1/preview/sandbox',
    summary: 'How far the site has been read, and what is left of the sandbox',
    description: 'For 24 hours after its end it answers `expired`, and nothing of what was read.',
    answers: { 200: { schema: contract.SandboxStatus } },
    errors: ['sandbox_expired'],
    handle: async (ctx) => ({ status: 200, body: await readStatus(ctx) }),
  }),
  route({
    ...here,
    reach: SANDBOX_ONLY,
    method: 'POST',
    path: '/v1/preview/sandbox/claim',
    summary: 'Keep the sandbox as a workspace',
    description:
      'It goes through the checks of a sign-up. With `Signup:VerifyEmail` a link is mailed, and the workspace is created when it is opened (`POST /v1/signup/verify`); a second claim replaces the first. What was read moves along, and the sandbox’s key is revoked.',
    body: contract.ClaimRequest,
    bodyCodes: { email: 'invalid_email', name: 'invalid_name' },
    answers: { 200: { schema: contract.Signup }, 202: { schema: contract.ClaimAccepted } },
    errors: [
      'sandbox_expired',
      'sandbox_not_ready',
      'signup_disabled',
      'invalid_email',
      'invalid_name',
      'disposable_email',
      'email_already_used',
      'signup_unavailable',
      'rate_limited',
    ],
    example: { body: { email: 'you@example.com', name: 'Corner Shop' } },
    handle: async (ctx, { body }) => {
      const claimed = await claimSandbox(ctx, rooms, ctx.asking.tenantId, body)
      if (claimed.kind === 'workspace') return { status: 200, body: claimed.workspace }
      const { email, expiresAt } = claimed
      return { status: 202, body: { accepted: true, email, expiresAt: expiresAt.toISOString() } }
    },
  }),
]
