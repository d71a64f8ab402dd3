import * as contract from '@tether/contract'
import { type Route, route, SECRET_ONLY } from '../../ground/access/index.ts'
import { readBrand, writeBrand } from './brand.ts'
import { embed, rotateEmbed } from './embed.ts'
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
    summary: 'The widget’s key, and what to paste into a page',
    body: contract.EmbedRequest,
    answers: { 200: { schema: contract.EmbedSnippet } },
    errors: ['key_limit_reached'],
    example: { body: { language: 'en', greeting: 'Hello! How can we help?' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await embed(ctx, body) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/embed/rotate',
    summary: 'Another key for the widget; the old one stops at once',
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
    summary: 'Look at a page: is the widget there, and may it work',
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
    summary: 'Where the widget may speak',
    answers: { 200: { schema: contract.OriginList } },
    handle: async (ctx) => ({ status: 200, body: await readOrigins(ctx) }),
  }),
  route({
    ...here,
    method: 'PUT',
    path: '/v1/origins',
    summary: 'Register where the widget may speak, in place of the present lists',
    description:
      'A public origin of a self-serve workspace waits for its confirmed address: with `holdUntilConfirmed` it is held and moves in by itself.',
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
    summary: 'How the widget looks, for the widget itself',
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
    summary: 'How the widget looks',
    description: 'What is left out stays; null or an empty text takes it away.',
    body: contract.BrandRequest,
    bodyCodes: { color: 'invalid_brand_color', logo: 'invalid_brand_logo' },
    answers: { 200: { schema: contract.Brand } },
    errors: ['invalid_brand_color', 'invalid_brand_logo'],
    example: { body: { color: '#0b5cad', logo: null } },
    handle: async (ctx, { body }) => ({ status: 200, body: await writeBrand(ctx, body) }),
  }),
]
