import { z } from 'zod'
import { Limit, RepositorySource, Timestamp } from './schemas.ts'

export const MOST_DOMAINS = 40
export const MOST_WORDS = 200
export const LONGEST_WORD = 60
export const DOMAIN_NAME = /^[a-z][a-z0-9_]{0,63}$/
export const LONGEST_NOTE = 500
export const MOST_LISTED_SUGGESTIONS = 200

export const Lexicon = z.record(z.string(), z.array(z.string())).meta({
  id: 'Lexicon',
  description: `The words by which people speak of each domain: 1 to ${MOST_DOMAINS} domains (${DOMAIN_NAME.source}), each with 1 to ${MOST_WORDS} words or phrases of at most ${LONGEST_WORD} characters.`,
  examples: [{ returns: ['refund', 'send back', 'დაბრუნება'], delivery: ['courier', 'parcel', 'კურიერი'] }],
})
export type Lexicon = z.output<typeof Lexicon>

export const DomainPack = z
  .object({
    version: z.int().meta({ description: 'Counts every change; 0 before the first.' }),
    lexicon: Lexicon,
    updatedAt: Timestamp.nullable(),
  })
  .meta({ id: 'DomainPack' })
export const DomainPackRequest = z
  .object({ lexicon: Lexicon.meta({ description: 'Replaces the pack entirely. `{}` clears it.' }) })
  .meta({ id: 'DomainPackRequest' })

export const SUGGESTION_STATUSES = ['pending', 'accepted', 'dismissed', 'superseded'] as const
export type SuggestionStatus = (typeof SUGGESTION_STATUSES)[number]

export const Suggestion = z
  .object({
    id: z.string(),
    status: z.enum(SUGGESTION_STATUSES),
    lexicon: Lexicon,
    source: RepositorySource.nullable(),
    note: z.string().nullable(),
    createdAt: Timestamp,
    decidedAt: Timestamp.nullable().meta({ description: 'When it was accepted, dismissed or superseded.' }),
  })
  .meta({ id: 'DomainSuggestion' })
export const SuggestionRequest = z
  .object({
    lexicon: Lexicon,
    source: RepositorySource.optional().meta({ description: 'Required of a CI key.' }),
    note: z.string().max(LONGEST_NOTE).optional().meta({ description: 'For the person who decides.' }),
  })
  .meta({ id: 'DomainSuggestionRequest' })
export const SuggestionList = z
  .object({
    suggestions: z.array(Suggestion),
    count: z.int(),
    nextBefore: z.string().nullable().meta({ description: 'The `before` of the next page. Null after the last.' }),
  })
  .meta({ id: 'DomainSuggestionList' })
export const SuggestionsQuery = z.object({
  status: z
    .string()
    .optional()
    .meta({ description: `One of ${SUGGESTION_STATUSES.join(', ')}, or \`all\`: \`pending\`, unless set.` }),
  limit: Limit(MOST_LISTED_SUGGESTIONS, MOST_LISTED_SUGGESTIONS),
  before: z.string().optional().meta({ description: 'The `nextBefore` of the page before.' }),
})

export const AcceptRequest = z
  .object({
    mode: z.enum(['merge', 'replace']).optional().meta({
      description: '`merge`, unless set: the words are added to the pack. `replace`: they take its place.',
    }),
  })
  .meta({ id: 'DomainSuggestionAcceptance' })
export const SuggestionAccepted = z
  .object({ suggestion: Suggestion, domainPack: DomainPack })
  .meta({ id: 'DomainSuggestionAccepted' })
export const SuggestionDismissed = z.object({ suggestion: Suggestion }).meta({ id: 'DomainSuggestionDismissed' })
