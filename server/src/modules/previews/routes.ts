import * as contract from '@tether/contract'
import { type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import { ingestPreview } from './ingest.ts'
import { deletePreview, readPreview } from './read.ts'
import type { PreviewRooms } from './rooms.ts'
import { sandboxRoutes } from './sandbox/routes.ts'

const here = { reach: SECRET_ONLY, lane: 'control', group: 'Preview', path: '/v1/preview' } as const

export const previewRoutes = (rooms: PreviewRooms): readonly Route[] => [
  route({
    ...here,
    method: 'POST',
    summary: 'Read the public website of the workspace, so that its assistant answers from it',
    description:
      'It answers when the site has been read, within `Preview:TimeoutSeconds`, and replaces what was read before in one step. A crawl that reads nothing leaves that as it is. Answers that rest on it carry `meta.preview`.',
    body: contract.PreviewRequest,
    bodyCodes: { siteUrl: 'invalid_site_url', feedUrl: 'invalid_feed_url' },
    answers: { 200: { schema: contract.PreviewStored } },
    errors: ['preview_disabled', 'invalid_site_url', 'invalid_feed_url', 'preview_in_progress', 'preview_empty'],
    example: { body: { siteUrl: 'https://shop.example' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await ingestPreview(ctx, rooms, body) }),
  }),
  route({
    ...here,
    method: 'GET',
    summary: 'What is held of the website, and whether the assistant answers from it alone',
    answers: { 200: { schema: contract.Preview } },
    errors: ['preview_disabled'],
    handle: async (ctx) => ({ status: 200, body: await readPreview(ctx, rooms) }),
  }),
  route({
    ...here,
    method: 'DELETE',
    summary: 'Forget the website',
    answers: { 200: { schema: contract.PreviewDeleted } },
    errors: ['preview_disabled'],
    handle: async (ctx) => ({ status: 200, body: await deletePreview(ctx) }),
  }),
  ...sandboxRoutes(rooms),
]
