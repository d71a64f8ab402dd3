import * as contract from '@tether/contract'
import type { Answer } from '../../kernel/http/index.ts'
import { rawJson } from '../../kernel/json/index.ts'
import { type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import { readCatalog } from './catalogs.ts'
import { mostCatalogCharacters } from './limits.ts'
import type { CatalogRow } from './queries.ts'
import { type CatalogParts, registerCatalog, tryCatalog } from './register.ts'

const here = { reach: SECRET_ONLY, lane: 'runtime', group: 'Tools' } as const
// A catalog may be larger than an ordinary body, and UTF-8 may take more bytes than there are characters.
const whole = { body: contract.ToolSpecs, ownCheck: true, bodyLimit: 2 * mostCatalogCharacters } as const
const EXAMPLE = {
  body: [
    {
      name: 'get_order',
      description: 'Looks up one order by its number: state, lines and delivery.',
      is_write: false,
      parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
    },
  ],
}

export const catalogRoutes = (parts: CatalogParts): readonly Route[] => [
  route({
    ...here,
    method: 'GET',
    path: '/v1/tools',
    // What a large one takes; a few are larger.
    answerBytes: 4 * 1024 * 1024,
    summary: 'The catalog, as it was registered',
    answers: { 200: { schema: contract.Catalog } },
    handle: async (ctx) => catalogAnswer(await readCatalog(ctx), await parts.importOf(ctx)),
  }),
  route({
    ...here,
    ...whole,
    method: 'PUT',
    path: '/v1/tools',
    summary: 'Register a catalog in place of the present one',
    description:
      'A tool that is left out no longer exists. A refused catalog changes nothing, and the answer names everything that is wrong. `warnings` names what the approval policy expects and the catalog lacks.',
    answers: { 200: { schema: contract.Registered }, 400: { schema: contract.NotRegistered } },
    errors: ['catalog_changed'],
    example: EXAMPLE,
    handle: async (ctx, { body }) => {
      const registration = await registerCatalog(ctx, body, parts)
      return { status: registration.registered ? 200 : 400, body: registration }
    },
  }),
  route({
    ...here,
    ...whole,
    method: 'POST',
    path: '/v1/tools/validate',
    summary: 'Check a catalog without registering it',
    answers: { 200: { schema: contract.Valid }, 400: { schema: contract.NotValid } },
    example: EXAMPLE,
    handle: async (ctx, { body }) => {
      const checked = await tryCatalog(ctx, body, parts)
      return { status: checked.valid ? 200 : 400, body: checked }
    },
  }),
]

/** The stored text goes out as it is: parsing and writing it again could change a number. */
function catalogAnswer(row: CatalogRow | null, imported: Awaited<ReturnType<CatalogParts['importOf']>>): Answer {
  const { tools, version = 0, toolCount = 0, writeToolCount = 0, registeredAt } = row ?? {}
  const rest = { toolCount, writeToolCount, registeredAt: registeredAt?.toISOString() ?? null, import: imported }
  return { status: 200, body: { version, tools: rawJson(tools ?? '[]'), ...rest } }
}
