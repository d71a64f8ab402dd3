import * as contract from '@tether/contract'
import { type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import { changeImportedApi } from './change-api.ts'
import { type ImportParts, importApi } from './import-api.ts'

const here = { lane: 'runtime', group: 'Tools' } as const
const MEBIBYTE = 1024 * 1024
/** The draft is a pipeline's business, what writes is a person's. */
const DRAFTED_BY_CI = {
  who: 'tenant',
  kinds: ['secret'],
  ci: { source: true, draftWithout: ['operations', 'credential', 'skipUndeclared'] },
} as const

const EXAMPLE = {
  body: {
    document: {
      openapi: '3.0.3',
      paths: {
        '/orders/{number}': {
          get: {
            operationId: 'getOrder',
            summary: 'Looks up one order by its number: state, lines and delivery.',
            parameters: [{ name: 'number', in: 'path', required: true, schema: { type: 'string' } }],
          },
        },
      },
    },
    baseUrl: 'https://api.shop.example.com',
    operations: { get_order: { is_write: false } },
  },
}

export const importRoutes = (parts: ImportParts): readonly Route[] => [
  route({
    ...here,
    method: 'POST',
    path: '/v1/tools/import',
    reach: DRAFTED_BY_CI,
    body: contract.ImportRequest,
    // A wrong body is answered in the form of a refused import.
    ownCheck: true,
    bodyLimit: 32 * MEBIBYTE,
    answerBytes: 4 * MEBIBYTE,
    summary: 'Make a catalog from an OpenAPI document',
    description:
      'Without `operations` it answers the draft, which is refused on purpose: every operation is declared by a person. Nothing is registered until `PUT /v1/tools`.',
    answers: { 200: { schema: contract.Imported }, 400: { schema: contract.NotImported } },
    example: EXAMPLE,
    handle: async (ctx, { body }) => {
      const answer = await importApi(ctx, body, parts)
      return { status: answer.imported ? 200 : 400, body: answer }
    },
  }),
  route({
    ...here,
    method: 'PATCH',
    path: '/v1/tools/api',
    reach: SECRET_ONLY,
    body: contract.ApiChange,
    ownCheck: true,
    summary: 'Change with what the imported API is called',
    description: 'Counts from the next call. The credential is never shown.',
    answers: {
      200: { schema: contract.ApiShown },
      400: { schema: contract.ApiUnchanged },
      404: { schema: contract.ApiUnchanged },
    },
    example: { body: { userToken: 'prefer' } },
    handle: async (ctx, { body }) => {
      const changed = await changeImportedApi(ctx, body)
      if (changed.kind === 'changed') return { status: 200, body: changed.api }
      return { status: changed.kind === 'refused' ? 400 : 404, body: { error: changed.error } }
    },
  }),
]
