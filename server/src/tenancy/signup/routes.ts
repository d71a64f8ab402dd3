import * as contract from '@tether/contract'
import { ANYONE, type Route, route, SECRET_ONLY } from '../access/index.ts'
import { confirmByLink } from './confirm.ts'
import { askConfirmation, readConfirmation } from './confirmation.ts'
import { recover } from './recover.ts'
import { redeem } from './redeem.ts'
import { type SignupParts, signUp } from './sign-up.ts'
import { createFromLink } from './verify.ts'

const here = { reach: ANYONE, lane: 'control', group: 'Sign-up', method: 'POST' } as const
const ofAccount = { reach: SECRET_ONLY, lane: 'control', group: 'Account', path: '/v1/account/confirmation' } as const

const TOKEN = 'dGhpcyBpcyBhIHNlYWxlZCBsaW5r'
const LIMITED = ['signup_unavailable', 'rate_limited'] as const
const CREATING = [
  'signup_disabled',
  'invalid_email',
  'invalid_name',
  'disposable_email',
  'email_already_used',
  ...LIMITED,
] as const

const signUpRoutes = (parts: () => SignupParts): readonly Route[] => [
  route({
    ...here,
    path: '/v1/signup',
    summary: 'Create your own workspace',
    description:
      'It works at once, on the free plan. The key and the signing secret are shown once. If the deployment confirms addresses, some things wait for the mailed link.',
    body: contract.SignupRequest,
    bodyCodes: { email: 'invalid_email', name: 'invalid_name' },
    answers: { 200: { schema: contract.Signup } },
    errors: CREATING,
    example: { body: { email: 'you@example.com', name: 'Corner Shop' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await signUp(ctx, parts(), body) }),
  }),
  route({
    ...here,
    path: '/v1/signup/verify',
    summary: 'Create a workspace with a mailed link',
    description: 'It is for links of an earlier version and of claimed sandboxes. The link confirms the address.',
    body: contract.LinkRequest,
    bodyCodes: { token: 'invalid_link' },
    answers: { 200: { schema: contract.Signup } },
    errors: [...CREATING, 'invalid_link', 'link_expired', 'sandbox_expired'],
    example: { body: { token: TOKEN } },
    handle: async (ctx, { body }) => ({ status: 200, body: await createFromLink(ctx, parts(), body.token) }),
  }),
]

const linkRoutes: readonly Route[] = [
  route({
    ...here,
    path: '/v1/signup/confirm',
    summary: 'Confirm the address of a workspace with its mailed link',
    description: 'Everything that waited goes live in the same step, including held origins and held mail.',
    body: contract.LinkRequest,
    bodyCodes: { token: 'invalid_link' },
    answers: { 200: { schema: contract.Confirmed } },
    errors: ['invalid_link', 'link_expired', 'link_used'],
    example: { body: { token: TOKEN } },
    handle: async (ctx, { body }) => ({ status: 200, body: await confirmByLink(ctx, body.token) }),
  }),
  route({
    ...here,
    path: '/v1/signup/recover',
    summary: 'Ask for a link to a new secret key',
    description: 'The answer is the same whether or not the address has a workspace.',
    body: contract.RecoverRequest,
    bodyCodes: { email: 'invalid_email' },
    answers: { 202: { schema: contract.RecoverAccepted } },
    errors: ['invalid_email', ...LIMITED],
    example: { body: { email: 'you@example.com' } },
    handle: async (ctx, { body }) => ({ status: 202, body: await recover(ctx, body) }),
  }),
  route({
    ...here,
    path: '/v1/signup/recover/redeem',
    summary: 'Get a new secret key with the mailed link',
    description:
      'The key is shown once. Every earlier secret key stops working; other keys, the signing secret (unless you ask to rotate it) and the configuration stay.',
    body: contract.RedeemRequest,
    bodyCodes: { token: 'invalid_link' },
    answers: { 200: { schema: contract.Redeemed } },
    errors: ['invalid_link', 'link_expired', 'signup_unavailable'],
    example: { body: { token: TOKEN } },
    handle: async (ctx, { body }) => ({ status: 200, body: await redeem(ctx, body) }),
  }),
]

const confirmationRoutes: readonly Route[] = [
  route({
    ...ofAccount,
    method: 'GET',
    summary: 'Read whether the workspace’s address is confirmed, and what waits for it',
    answers: { 200: { schema: contract.Confirmation } },
    handle: async (ctx) => ({ status: 200, body: await readConfirmation(ctx) }),
  }),
  route({
    ...ofAccount,
    method: 'POST',
    summary: 'Send the confirmation link again, or to another address',
    description: 'Another address becomes the workspace’s at once, but unconfirmed, and earlier links stop working.',
    body: contract.ConfirmationRequest,
    bodyCodes: { email: 'invalid_email' },
    answers: { 202: { schema: contract.ConfirmationSent } },
    errors: ['already_confirmed', 'invalid_email', 'disposable_email', 'email_already_used', ...LIMITED],
    handle: async (ctx, { body }) => ({ status: 202, body: await askConfirmation(ctx, body) }),
  }),
]

/** `parts` is a function because the reference describes the routes without them. */
export const signupRoutes = (parts: () => SignupParts): readonly Route[] => [
  ...signUpRoutes(parts),
  ...linkRoutes,
  ...confirmationRoutes,
]
