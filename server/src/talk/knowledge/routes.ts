import * as contract from '@tether/contract'
import { z } from 'zod'
import { type Route, route, SECRET_AND_CI, SECRET_ONLY } from '../../tenancy/access/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { deleteDocument, listDocuments, mustBeEnabled, putDocument, readDocumentNamed } from './documents.ts'
import type { Finder } from './find-passages.ts'
import { searchDocuments } from './search.ts'

type KnowledgeRooms = Finder & { readonly house: Pick<House, 'settings'> }

const Named = z.object({ name: z.string() })
const MEBIBYTE = 1_048_576
// What a code point takes at most: two escaped units of six bytes.
const BYTES_OF_A_CHARACTER = 12

const here = ({ house }: KnowledgeRooms) =>
  ({ lane: 'control', group: 'Knowledge', mustBeOn: () => mustBeEnabled(house) }) as const

const documents = (rooms: KnowledgeRooms): readonly Route[] => [
  route({
    ...here(rooms),
    reach: { who: 'tenant', kinds: ['secret'], ci: { source: true, replace: true } },
    method: 'POST',
    path: '/v1/knowledge',
    summary: 'Keep a document, from which the assistant answers',
    description:
      'The next turn of every process answers from it. A document that is longer than allowed, or one more than allowed, is refused and changes nothing.',
    body: contract.KnowledgeRequest,
    ownCheck: true,
    get bodyLimit() {
      return MEBIBYTE + BYTES_OF_A_CHARACTER * rooms.house.settings.knowledge.maxDocumentChars
    },
    answers: { 200: { schema: contract.KnowledgeStored } },
    errors: [
      'knowledge_disabled',
      'invalid_knowledge_name',
      'invalid_knowledge_format',
      'invalid_source',
      'knowledge_empty',
      'knowledge_too_large',
      'knowledge_document_exists',
      'knowledge_limit_reached',
    ],
    example: {
      body: {
        name: 'returns.md',
        format: 'markdown',
        text: '# Returns\n\nSend it back within 14 days. We refund the price within three working days.',
        source: { kind: 'repository', commit: '0f3a9be', path: 'docs/returns.md', dirty: false },
      },
    },
    handle: async (ctx, { body }) => ({ status: 200, body: { document: await putDocument(ctx, body) } }),
  }),
  route({
    ...here(rooms),
    reach: SECRET_AND_CI,
    method: 'GET',
    path: '/v1/knowledge',
    summary: 'The documents, by name',
    answers: { 200: { schema: contract.KnowledgeList } },
    errors: ['knowledge_disabled'],
    handle: async (ctx) => ({ status: 200, body: await listDocuments(ctx) }),
  }),
  route({
    ...here(rooms),
    reach: SECRET_ONLY,
    method: 'GET',
    path: '/v1/knowledge/:name',
    summary: 'One document with its text',
    params: Named,
    answers: { 200: { schema: contract.KnowledgeRead } },
    errors: ['knowledge_disabled', 'knowledge_document_not_found'],
    example: { params: { name: 'returns.md' } },
    handle: async (ctx, { params }) => ({ status: 200, body: { document: await readDocumentNamed(ctx, params.name) } }),
  }),
  route({
    ...here(rooms),
    reach: SECRET_ONLY,
    method: 'DELETE',
    path: '/v1/knowledge/:name',
    summary: 'Delete a document',
    params: Named,
    answers: { 200: { schema: contract.KnowledgeDeleted } },
    errors: ['knowledge_disabled', 'knowledge_document_not_found'],
    example: { params: { name: 'returns.md' } },
    handle: async (ctx, { params }) => ({ status: 200, body: await deleteDocument(ctx, params.name) }),
  }),
]

const MOST_HITS = 20
const HITS = 5

const search = (rooms: KnowledgeRooms): readonly Route[] => [
  route({
    ...here(rooms),
    reach: SECRET_ONLY,
    method: 'GET',
    path: '/v1/knowledge/search',
    summary: 'Find the pieces of the documents that fit a question',
    description:
      'Works without a language model, in English and Georgian. A question that nothing fits finds nothing, rather than what fits least badly.',
    query: z.object({ q: z.string(), limit: contract.Limit(MOST_HITS, HITS) }),
    answers: { 200: { schema: contract.KnowledgeHits } },
    errors: ['knowledge_disabled'],
    example: { query: { q: 'How long does a delivery take?' } },
    handle: async (ctx, { query }) => {
      const limit = contract.clampLimit(query.limit, MOST_HITS, HITS)
      return { status: 200, body: { hits: await searchDocuments(ctx, rooms, { q: query.q, limit }) } }
    },
  }),
]

export const knowledgeRoutes = (rooms: KnowledgeRooms): readonly Route[] => [...search(rooms), ...documents(rooms)]
