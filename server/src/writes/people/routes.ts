import * as contract from '@tether/contract'
import { closeSession, type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { findPerson, presentPerson } from '../approvals/index.ts'
import { invite } from './invite.ts'
import { openSession, type WhoAsks } from './open-session.ts'
import { findExpiry } from './queries.ts'
import { askSignIn } from './sign-in.ts'

const here = { lane: 'control', group: 'People' } as const
const SIGNS_IN = { who: 'tenant', kinds: ['secret', 'inbox', 'provider', 'provider_inbox'] } as const
const SIGNED_IN = { who: 'tenant', kinds: [], withSession: ['secret', 'inbox', 'provider', 'provider_inbox'] } as const

/** The key of a provider signs in the people of its businesses, and nobody of its own workspace. */
const whoAsks = ({ asking: { kind, tenantId } }: Context): WhoAsks =>
  kind === 'provider' || kind === 'provider_inbox' ? { providerId: tenantId } : { tenantId }

export const peopleRoutes: readonly Route[] = [
  route({
    ...here,
    reach: SECRET_ONLY,
    method: 'POST',
    path: '/v1/users/invitations',
    summary: 'Invite somebody to decide',
    description:
      'Registers the person, without a `userId`, and mails them the way to the inbox. Inviting somebody who is registered mails again and changes nothing.',
    body: contract.InvitationRequest,
    bodyCodes: { email: 'invalid_email' },
    answers: { 202: { schema: contract.Invited } },
    errors: ['invalid_email', 'user_email_ambiguous', 'invitation_limit'],
    example: { body: { email: 'ana@shop.example', displayName: 'Ana Beridze', role: 'manager', language: 'ka' } },
    handle: async (ctx, { body }) => ({ status: 202, body: await invite(ctx, body) }),
  }),
  route({
    ...here,
    reach: SIGNS_IN,
    method: 'POST',
    path: '/v1/user-sessions/sign-in',
    summary: 'Ask for a link to sign in with',
    description:
      'The answer is the same for every address, so that it says of nobody whether they are registered. With a key of a provider, one mail names each of its businesses that the person belongs to, or the one that `tenantId` names.',
    body: contract.SignInRequest,
    bodyCodes: { email: 'invalid_email' },
    answers: { 202: { schema: contract.SignInAccepted } },
    errors: ['invalid_email', 'email_unconfirmed', 'mail_not_configured', 'not_a_child_tenant'],
    example: { body: { email: 'ana@shop.example' } },
    handle: async (ctx, { body: { email, language, tenantId = null } }) => {
      const asks = whoAsks(ctx)
      const whose = 'tenantId' in asks ? asks : { ...asks, tenantId }
      return { status: 202, body: await askSignIn(ctx, { ...whose, email, language }) }
    },
  }),
  route({
    ...here,
    reach: SIGNS_IN,
    method: 'POST',
    path: '/v1/user-sessions',
    summary: 'Open a session with a mailed link',
    description:
      'Spends the link. The session goes with every later request as `X-Service-User-Session`; it ends by itself, and when nobody uses it.',
    body: contract.OpenSessionRequest,
    bodyCodes: { token: { code: 'invalid_sign_in_link', reason: 'malformed' } },
    answers: { 200: { schema: contract.OpenedSession } },
    errors: ['invalid_sign_in_link'],
    example: { body: { token: '<token of the mailed link>' } },
    handle: async (ctx, { body }) => {
      const { person, token, tenantId, tenantName, expiresAt } = await openSession(ctx, whoAsks(ctx), body.token)
      return {
        status: 200,
        body: { token, user: presentPerson(person), tenantId, tenantName, expiresAt: expiresAt.toISOString() },
      }
    },
  }),
  route({
    ...here,
    reach: SIGNED_IN,
    method: 'GET',
    path: '/v1/user-sessions/current',
    summary: 'Who is signed in',
    answers: { 200: { schema: contract.UserSession } },
    handle: async (ctx) => ({ status: 200, body: await currentSession(ctx) }),
  }),
  route({
    ...here,
    reach: SIGNED_IN,
    method: 'DELETE',
    path: '/v1/user-sessions/current',
    summary: 'Sign out',
    answers: { 200: { schema: contract.SessionClosed } },
    handle: async (ctx) => {
      const { tenantId, hash } = sessionAsked(ctx)
      await closeSession(ctx, tenantId, hash)
      return { status: 200, body: { closed: true } }
    },
  }),
]

async function currentSession(ctx: Context) {
  const { tenantId, tenantName } = ctx.asking
  const { hash, personId } = sessionAsked(ctx)
  const [person, session] = await Promise.all([
    findPerson(ctx, tenantId, personId),
    ctx.db.one(findExpiry, { tenantId, hash }),
  ])
  if (person === undefined || session === undefined) throw new Error('A live session lost its person or its row.')
  return { user: presentPerson(person), tenantId, tenantName, expiresAt: session.expiresAt.toISOString() }
}

/** The gate lets nobody in without a session, where a route has only `withSession`. */
function sessionAsked({ asking: { actor, tenantId } }: Context) {
  if (actor.by !== 'person') throw new Error('This route was reached without a session.')
  return { tenantId, hash: actor.sessionHash, personId: actor.personId }
}
