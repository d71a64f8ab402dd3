import { z } from 'zod'
import { Handoff, Proposal, RESULT_PATHS, Source } from './chat.ts'
import { Language } from './schemas.ts'
import { TOOL_STATUSES } from './tools.ts'

/** Of a case. A member that it does not know is refused: ignoring a condition would let a case pass that says otherwise. */
const Expectation = z
  .strictObject({
    tool: z.string().optional().meta({ description: 'A tool that must be called or, if it is a write, proposed.' }),
    arguments: z.looseObject({}).optional().meta({
      description: 'What that call must have been given. Members that are not named are free; null means absent.',
    }),
    proposal: z.boolean().optional().meta({ description: 'Whether a write must have been proposed, or none may.' }),
    answerHas: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(20)])
      .optional()
      .meta({ description: 'Words that the answer must have, without regard to case and white space.' }),
    noCall: z.boolean().optional().meta({ description: 'True if no tool of the catalog may be called.' }),
  })
  .meta({ id: 'TrialExpectation' })

export const TrialsRequest = z
  .object({
    cases: z
      .array(
        z
          .object({
            prompt: z.string(),
            language: z.string().max(40).optional(),
            results: z.looseObject({}).optional().meta({
              description: 'What each read answers, by the name of its tool. A read without one is `not_configured`.',
            }),
            expect: Expectation,
          })
          .meta({ id: 'TrialCase' }),
      )
      .min(1),
    capabilityMode: z.enum(['Standard', 'Deep']).optional(),
    enableWriteActions: z.boolean().optional().meta({ description: 'As in a chat request.' }),
  })
  .meta({ id: 'TrialsRequest' })
export type TrialsRequest = z.output<typeof TrialsRequest>
export type TrialCase = TrialsRequest['cases'][number]

const run = {
  model: z.string().meta({ description: 'What answered: a model, or `offline`.' }),
  passed: z.boolean(),
  failures: z.array(z.string()).meta({ description: 'What was expected and did not happen. Empty if it passed.' }),
  chosen: z
    .array(
      z.object({
        tool: z.string(),
        arguments: z.unknown().meta({ description: 'Null where they were no JSON object, or too long to show.' }),
        status: z.enum(TOOL_STATUSES),
      }),
    )
    .meta({ description: 'The tools that were asked for, in order: at most the first 20.' }),
  proposals: z
    .array(Proposal)
    .meta({ description: 'The writes that would have been staged. None was: nobody can confirm them.' }),
  handoff: Handoff.nullable(),
  answer: z.string().meta({ description: 'The answer in words, cut after 4,000 characters.' }),
  sources: z.array(Source),
  resultPath: z.enum(RESULT_PATHS),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number().meta({ description: 'What it cost, which counts against the budgets.' }),
  durationMs: z.int(),
  transcript: z
    .array(
      z.object({
        role: z.enum(['visitor', 'assistant', 'tool']),
        text: z.string(),
        calls: z.array(z.object({ tool: z.string(), arguments: z.string() })).optional(),
        tool: z.string().optional(),
      }),
    )
    .optional()
    .meta({ description: 'What was said and called, of a run that did not pass.' }),
}
export const TrialRun = z.object(run).meta({ id: 'TrialRun' })
export type TrialRun = z.output<typeof TrialRun>

const sums = { passed: z.int(), failed: z.int() }

export const TrialsAnswer = z
  .object({
    catalogVersion: z.int(),
    ...sums,
    model: z.string().meta({ description: 'What answers this workspace’s chats.' }),
    costUsd: z.number(),
    offline: z.object(sums).nullable().meta({
      description: 'The same cases without a model. Null where none is configured, because then that is what answers.',
    }),
    count: z.int(),
    results: z.array(
      z
        .object({
          prompt: z.string(),
          language: Language,
          warnings: z.array(z.string()).meta({ description: 'What of the case does not fit the catalog.' }),
          ...run,
          offline: TrialRun.optional().meta({ description: 'The same case without a model.' }),
        })
        .meta({ id: 'TrialResult' }),
    ),
  })
  .meta({ id: 'TrialsAnswer', description: 'The cases in the order in which they were sent.' })
export type TrialsAnswer = z.output<typeof TrialsAnswer>
