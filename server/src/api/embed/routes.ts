import * as contract from '@tether/contract'
import { type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import { readBrand, writeBrand } from './brand.ts'
import { readEmbed, rotateEmbed } from './embed.ts'
import { sendInstructions } from './instructions.ts'
import { readOrigins, writeOrigins } from './origins.ts'
import { checkSite } from './site-check.ts'

const here = { reach: SECRET_ONLY, lane: 'control', group: 'Embed' } as const
const PUBLISHABLE_ONLY = { who: 'tenant', kinds: ['publishable'] } as const

export const embedRoutes: readonly Route[] = [
  route({
    ...here,
    method: 'POST',
    path: '/v1/embed',
    summary: 'Get the widget’s key and the snippet to paste into a page',
    body: contract.EmbedRequest,
    answers: { 200: { schema: contract.EmbedSnippet } },
    errors: ['key_limit_reached'],
    example: { body: { language: 'en', greeting: 'Hello! How can we help?' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await readEmbed(ctx, body) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/embed/rotate',
    summary: 'Replace the widget’s key; the old one stops at once',
    body: contract.EmbedRequest,
    answers: { 200: { schema: contract.EmbedSnippet } },
    errors: ['key_limit_reached'],
    handle: async (ctx, { body }) => ({ status: 200, body: await rotateEmbed(ctx, body) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/embed/instructions',
    summary: 'Mail the instructions to whoever looks after the pages',
    body: contract.InstructionsRequest,
    bodyCodes: { email: 'invalid_email' },
    answers: { 202: { schema: contract.InstructionsSent } },
    errors: ['invalid_email', 'embed_mail_limit'],
    example: { body: { email: 'web@shop.example', language: 'en' } },
    handle: async (ctx, { body }) => ({ status: 202, body: await sendInstructions(ctx, body) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/embed/check',
    summary: 'Check a page: is the widget there, and can it work',
    body: contract.SiteCheckRequest,
    bodyCodes: { url: 'invalid_site_url' },
    answers: { 200: { schema: contract.SiteCheck } },
    errors: ['invalid_site_url'],
    example: { body: { url: 'https://shop.example/' } },
    handle: async (ctx, { body, head }) => ({ status: 200, body: await checkSite(ctx, body.url, head.signal) }),
  }),
  route({
    ...here,
    method: 'GET',
    path: '/v1/origins',
    summary: 'Read where the widget may be used',
    answers: { 200: { schema: contract.OriginList } },
    handle: async (ctx) => ({ status: 200, body: await readOrigins(ctx) }),
  }),
  route({
    ...here,
    method: 'PUT',
    path: '/v1/origins',
    summary: 'Register where the widget may be used, replacing the current lists',
    description:
      'A public origin of a self-serve workspace needs a confirmed address. With `holdUntilConfirmed` it is held and becomes active by itself.',
    body: contract.OriginsRequest,
    answers: { 200: { schema: contract.OriginsStored } },
    errors: ['invalid_origin', 'too_many_origins', 'email_unconfirmed'],
    example: { body: { origins: ['https://shop.example', 'http://localhost:3000'] } },
    handle: async (ctx, { body }) => ({ status: 200, body: await writeOrigins(ctx, body) }),
  }),
  route({
    method: 'GET',
    path: '/v1/chat/brand',
    reach: PUBLISHABLE_ONLY,
    lane: 'runtime',
    group: 'Embed',
    summary: 'Read how the widget looks, for the widget itself',
    answers: { 200: { schema: contract.Brand } },
    handle: async (ctx) => ({
      status: 200,
      body: await readBrand(ctx),
      headers: { 'cache-control': 'private, max-age=300' },
    }),
  }),
  route({
    ...here,
    lane: 'runtime',
    method: 'PUT',
    path: '/v1/chat/brand',
    summary: 'Change how the widget looks',
    description: 'An omitted member stays as it is; null or an empty text removes it.',
    body: contract.BrandRequest,
    bodyCodes: { color: 'invalid_brand_color', logo: 'invalid_brand_logo' },
    answers: { 200: { schema: contract.Brand } },
    errors: ['invalid_brand_color', 'invalid_brand_logo'],
    example: { body: { color: '#0b5cad', logo: null } },
    handle: async (ctx, { body }) => ({ status: 200, body: await writeBrand(ctx, body) }),
  }),
]
