import * as contract from '@tether/contract'
import { z } from 'zod'
import { type Route, route, SECRET_AND_CI, SECRET_ONLY } from '../../tenancy/access/index.ts'
import { acceptSuggestion, dismissSuggestion } from './decide.ts'
import { BODY_LIMIT, MOST_BYTES } from './limits.ts'
import { listSuggestions } from './list.ts'
import { readPack, replacePack } from './pack.ts'
import { suggest } from './suggest.ts'

const here = { lane: 'control', group: 'Vocabulary' } as const
const SuggestionParam = z.object({ suggestionId: z.string() })
const EXAMPLE = { returns: ['refund', 'money back', 'დაბრუნება'], delivery: ['courier', 'parcel', 'კურიერი'] }
const EXAMPLE_ID = { suggestionId: 'sug_4h2k9m0pqrstvwxyz0123456ab' }

const pack: readonly Route[] = [
  route({
    ...here,
    reach: SECRET_AND_CI,
    method: 'GET',
    path: '/v1/domain-pack',
    summary: 'The words by which people speak of each domain',
    answers: { 200: { schema: contract.DomainPack } },
    handle: async (ctx) => ({ status: 200, body: await readPack(ctx) }),
  }),
  route({
    ...here,
    reach: SECRET_ONLY,
    method: 'PUT',
    path: '/v1/domain-pack',
    summary: 'Replace the words of all domains',
    description:
      'A new version; `{"lexicon": {}}` clears the pack. Where a catalog is too large to be offered whole, a turn is offered first the tools whose `domain` has words of the question, in any of their English and Georgian forms. What a turn may call stays the same.',
    body: contract.DomainPackRequest,
    ownCheck: true,
    bodyLimit: BODY_LIMIT,
    answers: { 200: { schema: contract.DomainPack } },
    errors: ['invalid_suggestion'],
    example: { body: { lexicon: EXAMPLE } },
    handle: async (ctx, { body }) => ({ status: 200, body: await replacePack(ctx, body) }),
  }),
]

const suggestions: readonly Route[] = [
  route({
    ...here,
    reach: { who: 'tenant', kinds: ['secret'], ci: { source: true } },
    method: 'POST',
    path: '/v1/domain-pack/suggestions',
    summary: 'Suggest words for a person to accept',
    description:
      'Nothing of a suggestion counts before it is accepted. A newer one with the same `source.path` (without a source: of the same key) supersedes one that is still pending.',
    body: contract.SuggestionRequest,
    ownCheck: true,
    bodyLimit: BODY_LIMIT,
    answers: { 200: { schema: contract.Suggestion } },
    errors: ['invalid_suggestion', 'invalid_source'],
    example: {
      body: {
        lexicon: EXAMPLE,
        source: { kind: 'repository', commit: '0f3a9be', path: 'docs/vocabulary.json', dirty: false },
        note: 'What the support team calls things.',
      },
    },
    handle: async (ctx, { body }) => ({ status: 200, body: await suggest(ctx, body) }),
  }),
  route({
    ...here,
    reach: SECRET_ONLY,
    method: 'GET',
    path: '/v1/domain-pack/suggestions',
    summary: 'List suggestions',
    description: 'The newest come first. A page ends at 4 MiB, if not before.',
    query: contract.SuggestionsQuery,
    answerBytes: MOST_BYTES,
    answers: { 200: { schema: contract.SuggestionList } },
    errors: ['invalid_status'],
    handle: async (ctx, { query: { status, before, limit } }) => {
      const most = contract.MOST_LISTED_SUGGESTIONS
      const page = {
        status: status ?? 'pending',
        before: before ?? null,
        limit: contract.clampLimit(limit, most, most),
      }
      return { status: 200, body: await listSuggestions(ctx, page) }
    },
  }),
  route({
    ...here,
    reach: SECRET_ONLY,
    method: 'POST',
    path: '/v1/domain-pack/suggestions/:suggestionId/accept',
    summary: 'Put a suggestion’s words into the pack',
    description: 'A merge that would pass the limits is refused, and the suggestion stays pending.',
    params: SuggestionParam,
    body: contract.AcceptRequest,
    answers: { 200: { schema: contract.SuggestionAccepted } },
    errors: ['suggestion_not_found', 'suggestion_not_pending', 'invalid_suggestion'],
    example: { params: EXAMPLE_ID, body: { mode: 'merge' } },
    handle: async (ctx, { params, body }) => ({
      status: 200,
      body: await acceptSuggestion(ctx, params.suggestionId, body.mode ?? 'merge'),
    }),
  }),
  route({
    ...here,
    reach: SECRET_ONLY,
    method: 'POST',
    path: '/v1/domain-pack/suggestions/:suggestionId/dismiss',
    summary: 'Leave a suggestion out',
    params: SuggestionParam,
    answers: { 200: { schema: contract.SuggestionDismissed } },
    errors: ['suggestion_not_found', 'suggestion_not_pending'],
    example: { params: EXAMPLE_ID },
    handle: async (ctx, { params }) => ({ status: 200, body: await dismissSuggestion(ctx, params.suggestionId) }),
  }),
]

export const vocabularyRoutes: readonly Route[] = [...pack, ...suggestions]
