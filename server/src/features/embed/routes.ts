import * as contract from '@tether/contract'
import { type Route, route, SECRET_ONLY } from '../../ground/access/index.ts'
import { readBrand, writeBrand } from './brand.ts'
import { checkSite } from './check.ts'
import { embed, rotateEmbed } from './embed.ts'
import { listOrigins, replaceOrigins } from './origins.ts'

const here = { reach: SECRET_ONLY, lane: 'control', group: 'Embed' } as const

const snippet: readonly Route[] = [
  route({
    ...here,
    method: 'POST',
    path: '/v1/embed',
    summary: 'The widget for your pages, ready to paste',
    description: 'The first call issues the widget key; later ones give the same key again.',
    body: contract.EmbedRequest,
    bodyOptional: true,
    answers: { 200: { schema: contract.Embed } },
    errors: ['key_limit_reached'],
    example: { body: { language: 'ka', greeting: 'გამარჯობა!' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await embed(ctx, body ?? {}) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/embed/rotate',
    summary: 'Replace the widget key',
    description: 'Pages with the old key stop being answered at once: paste the new snippet.',
    body: contract.EmbedRequest,
    bodyOptional: true,
    answers: { 200: { schema: contract.Embed } },
    errors: ['key_limit_reached', 'unknown_key'],
    handle: async (ctx, { body }) => ({ status: 200, body: await rotateEmbed(ctx, body ?? {}) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/embed/check',
    summary: 'Look at a page: is the widget there, and would it work',
    description: 'Only reads, and is never needed to go live.',
    body: contract.SiteCheckRequest,
    answers: { 200: { schema: contract.SiteCheck } },
    errors: ['invalid_site_url'],
    example: { body: { url: 'https://www.shop.example' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await checkSite(ctx, body.url) }),
  }),
]

const origins: readonly Route[] = [
  route({
    ...here,
    method: 'GET',
    path: '/v1/origins',
    summary: 'The pages that may speak with your publishable keys',
    answers: { 200: { schema: contract.Origins } },
    handle: async (ctx) => ({ status: 200, body: await listOrigins(ctx) }),
  }),
  route({
    ...here,
    method: 'PUT',
    path: '/v1/origins',
    summary: 'Replace that list',
    description: 'Scheme, host and optional port. A held origin is refused like one that is not registered.',
    body: contract.OriginsRequest,
    answers: { 200: { schema: contract.OriginsAnswer } },
    errors: ['invalid_origin', 'too_many_origins', 'email_unconfirmed'],
    example: { body: { origins: ['https://www.shop.example', 'http://localhost:3000'], holdUntilConfirmed: true } },
    handle: async (ctx, { body }) => ({
      status: 200,
      body: await replaceOrigins(ctx, body.origins, body.holdUntilConfirmed ?? false),
    }),
  }),
]

const brand: readonly Route[] = [
  route({
    ...here,
    reach: { who: 'tenant', kinds: ['secret', 'publishable'] },
    method: 'GET',
    path: '/v1/chat/brand',
    summary: 'The colour and the logo that the widget wears',
    answers: { 200: { schema: contract.Brand } },
    errors: ['origin_not_allowed'],
    handle: async (ctx) => ({
      status: 200,
      headers: { 'cache-control': 'private, max-age=300' },
      body: await readBrand(ctx),
    }),
  }),
  route({
    ...here,
    method: 'PUT',
    path: '/v1/chat/brand',
    summary: 'Set them',
    body: contract.BrandRequest,
    bodyCodes: { color: 'invalid_brand_color', logo: 'invalid_brand_logo' },
    answers: { 200: { schema: contract.Brand } },
    errors: ['invalid_brand_color', 'invalid_brand_logo'],
    example: { body: { color: '#12615b', logo: 'https://www.shop.example/logo.svg' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await writeBrand(ctx, body) }),
  }),
]

export const embedRoutes: readonly Route[] = [...snippet, ...origins, ...brand]
