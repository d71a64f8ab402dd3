import * as contract from '@tether/contract'
import { z } from 'zod'
import { askerOf, type Route, route, SECRET_AND_CI, SECRET_ONLY } from '../access/index.ts'
import { compromise, listAccountEvents, rotateSigningSecret, setCustomerTokenKey } from '../tenants/index.ts'
import { changeIntent, deleteAccount, readAccount } from './account.ts'
import { issueAccountKey, listAccountKeys, readOwnKey, revokeAccountKey, rotateAccountKey } from './keys.ts'

const here = { reach: SECRET_ONLY, lane: 'control', group: 'Account' } as const
const PrefixParam = z.object({ prefix: contract.KeyPrefix })
const EXAMPLE_PREFIX = { prefix: 'tag_1f0c9a2b' }

const account: Route[] = [
  route({
    ...here,
    method: 'GET',
    path: '/v1/account',
    summary: 'Read the workspace that the key belongs to',
    answers: { 200: { schema: contract.Account } },
    handle: async (ctx) => ({ status: 200, body: await readAccount(ctx) }),
  }),
  route({
    ...here,
    method: 'DELETE',
    path: '/v1/account',
    summary: 'Delete the workspace and everything in it',
    description:
      'Takes effect at once and for ever. An empty tombstone stays, so that nobody can reuse the id and the address.',
    body: contract.DeletionRequest,
    bodyCodes: { confirm: 'confirmation_required' },
    answers: { 200: { schema: contract.Deletion } },
    errors: ['confirmation_required'],
    example: { body: { confirm: 'Corner Shop' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await deleteAccount(ctx, body.confirm) }),
  }),
  route({
    ...here,
    method: 'PUT',
    path: '/v1/account/intent',
    summary: 'Say what the workspace is for',
    body: contract.IntentRequest,
    bodyCodes: { intent: 'invalid_intent' },
    answers: { 200: { schema: contract.Intent } },
    errors: ['invalid_intent'],
    example: { body: { intent: 'answers_and_actions' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await changeIntent(ctx, body.intent) }),
  }),
  route({
    ...here,
    method: 'GET',
    path: '/v1/account/events',
    summary: 'List the events of the account: keys, secrets, recoveries',
    description: 'The newest come first.',
    query: contract.AccountEventsQuery,
    answers: { 200: { schema: contract.AccountEvents } },
    handle: async (ctx, { query }) => {
      const rows = await listAccountEvents(ctx, ctx.asking.tenantId, contract.clampLimit(query.limit, 200, 200))
      return { status: 200, body: { events: rows.map((row) => ({ ...row, at: row.at.toISOString() })) } }
    },
  }),
]

const keys: Route[] = [
  route({
    ...here,
    method: 'GET',
    path: '/v1/account/keys',
    summary: 'List every key of the workspace, including revoked ones',
    description:
      'The newest come first. Of the revoked ones, the newest thousand are listed, for as long as they are kept (`Account:RevokedKeyDays`). A key itself is shown only once, when it is issued.',
    answers: { 200: { schema: contract.KeyList } },
    handle: async (ctx) => ({ status: 200, body: await listAccountKeys(ctx) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/account/keys',
    summary: 'Issue a key',
    body: contract.KeyRequest,
    bodyCodes: { kind: 'unknown_kind' },
    answers: { 200: { schema: contract.IssuedKey } },
    errors: ['unknown_kind', 'key_limit_reached'],
    example: { body: { kind: 'agent', label: 'Support assistant' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await issueAccountKey(ctx, body) }),
  }),
  route({
    ...here,
    method: 'GET',
    path: '/v1/account/keys/self',
    reach: SECRET_AND_CI,
    summary: 'Describe the key that this request uses',
    answers: { 200: { schema: contract.Key } },
    errors: ['unknown_key'],
    handle: async (ctx) => ({ status: 200, body: await readOwnKey(ctx) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/account/keys/:prefix/rotate',
    summary: 'Replace a key with a new one of the same kind and label',
    description: 'The old key stops working at the same moment as the new one starts.',
    params: PrefixParam,
    answers: { 200: { schema: contract.RotatedKey } },
    errors: ['unknown_key'],
    example: { params: EXAMPLE_PREFIX },
    handle: async (ctx, { params }) => ({ status: 200, body: await rotateAccountKey(ctx, params.prefix) }),
  }),
  route({
    ...here,
    method: 'DELETE',
    path: '/v1/account/keys/:prefix',
    summary: 'Revoke a key',
    description: 'It is refused from the next request on. The only live secret key cannot be revoked.',
    params: PrefixParam,
    answers: { 200: { schema: contract.RevokedKey } },
    errors: ['unknown_key', 'last_secret_key'],
    example: { params: EXAMPLE_PREFIX },
    handle: async (ctx, { params }) => ({ status: 200, body: await revokeAccountKey(ctx, params.prefix) }),
  }),
]

const secrets: Route[] = [
  route({
    ...here,
    method: 'POST',
    path: '/v1/account/customer-token-key',
    summary: 'Issue the key with which your server signs customer tokens',
    description:
      'The key is shown once. Another call replaces it, and tokens signed with the old one are refused at once.',
    answers: { 200: { schema: contract.CustomerTokenKey } },
    handle: async (ctx) => ({
      status: 200,
      body: {
        customerTokenKey: await setCustomerTokenKey(ctx, askerOf(ctx.asking)),
        tenantId: ctx.asking.tenantId,
        algorithm: 'HS256',
        header: 'X-Service-Customer-Token',
        maxLifetimeSeconds: 3600,
      },
    }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/account/signing-secret/rotate',
    summary: 'Replace the secret with which we sign calls and events',
    description:
      'We use the new secret at once. For 24 hours the Standard Webhooks header also has a signature with the old one.',
    answers: { 200: { schema: contract.SigningSecret } },
    handle: async (ctx) => ({
      status: 200,
      body: { signingSecret: await rotateSigningSecret(ctx, askerOf(ctx.asking)) },
    }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/account/compromise',
    summary: 'After a leak: revoke every key and start again',
    description:
      'Every live key of every kind stops, and you get one new secret key. A customer-token key is replaced.',
    body: contract.CompromiseRequest,
    answers: { 200: { schema: contract.Compromise } },
    example: { body: { rotateSigningSecret: true } },
    handle: async (ctx, { body }) => ({
      status: 200,
      body: await compromise(ctx, askerOf(ctx.asking), body.rotateSigningSecret ?? false),
    }),
  }),
]

export const accountRoutes: readonly Route[] = [...account, ...keys, ...secrets]
