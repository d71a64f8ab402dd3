// The limits of a turn: tools, pictures, memory, money. The models have their own section.
import { section } from '../setting.ts'
import { decimal, domain, flag, listOf, oneOf, text, whole } from '../shapes.ts'

const MUCH = 100_000_000
const usd = (meaning: string) => decimal(0, MUCH, 0).describe(`${meaning} 0 means no limit.`)
const watched = (meaning: string) => decimal(0, MUCH, 0).describe(`${meaning} It is only logged, and 0 turns it off.`)

export const assistant = {
  chat: section('Chat', 'One turn of a conversation.', {
    maxPromptChars: whole(100, 1_000_000, 8000).describe('The longest prompt, in characters.'),
    turnSeconds: decimal(1, 3600, 180).describe('How long one turn may take, including its tools.'),
    toolTokenBudget: whole(200, 1_000_000, 12_000).describe(
      'About how many tokens the tools of a turn may take. From a larger catalog, only the tools closest to the question are offered.',
    ),
    maxToolResultChars: whole(500, 10_000_000, 24_000).describe(
      'How much of one tool result a model sees, in characters. It is told if there is more.',
    ),
    resumeSeconds: decimal(1, 3600, 120).describe(
      'How long the frames of a turn with `resume: true` can be read again after its end.',
    ),
    maxResumableTurns: whole(1, 1_000_000, 2000).describe(
      'How many such turns one instance keeps. Beyond that, a new one ends with its reader, like any other turn.',
    ),
    watchSeconds: decimal(1, 3600, 300).describe(
      'How long one watch of a conversation lasts (`watch: true`). Then the window asks again.',
    ),
    maxWatchesPerConversation: whole(1, 1000, 5).describe(
      'How many watches of one conversation an instance serves at a time.',
    ),
    maxWatchesPerTenant: whole(1, 100_000, 200).describe(
      'How many watches of one workspace an instance serves at a time. Each looks into the database once a second.',
    ),
    takeoverMinutes: decimal(0.01, 10_080, 30).describe(
      'How long the assistant stays silent after a person has taken a conversation over, counted again from each message of a person.',
    ),
  }),
  trials: section('Trials', 'Trials of a catalog: cases that are played without reaching the business.', {
    maxCases: whole(1, 500, 50).describe('How many cases one request may hold.'),
    timeoutSeconds: decimal(1, 3600, 120).describe(
      'How long all cases of one request may take together. What has not ended by then is answered as failed.',
    ),
    maxConcurrent: whole(1, 32, 4).describe('How many cases of one request are played at the same time.'),
  }),
  orchestration: section('Orchestration', 'How the tools of a turn are called.', {
    maxConcurrentTools: whole(1, 4, 4).describe('How many calls of one turn may run at the same time.'),
  }),
  multimodal: section('Multimodal', 'Pictures in a prompt.', {
    enabled: flag(true).describe('Whether a prompt may contain a picture.'),
    allowedMimeTypes: listOf(oneOf('image/png', 'image/jpeg', 'image/webp'), 'MIME types')
      .default(['image/png', 'image/jpeg', 'image/webp'])
      .describe('The types of picture that are accepted.'),
    maxImageBytes: whole(1024, 67_108_864, 4_194_304).describe('The largest picture in bytes.'),
    requireHttpsForUrls: flag(true).describe('Whether pictures with an http address are refused.'),
    allowedUrlHosts: listOf(domain, 'host names')
      .default([])
      .describe('The hosts from which pictures may be fetched. Empty means any host.'),
  }),
  memory: section('Memory', 'What a conversation remembers, and for how long it is kept.', {
    recentExchanges: whole(1, 200, 8).describe(
      'How many of the latest exchanges of a conversation a model sees word for word.',
    ),
    summarizeAfterExchanges: whole(2, 1000, 16).describe(
      'Once more exchanges than this are not in the summary, all but the latest are summarised.',
    ),
    maxSummaryChars: whole(200, 50_000, 2000).describe('The longest summary, in characters.'),
    retentionDays: decimal(0, 36_500, 90).describe(
      'Conversations idle for longer than this are deleted, with their ratings. 0 keeps them.',
    ),
  }),
  budget: section('Budget', 'Ceilings for the cost of models, by UTC day and month.', {
    globalDailyCapUsd: usd('The ceiling of the whole deployment per day.'),
    globalMonthlyCapUsd: usd('The ceiling of the whole deployment per month.'),
    orgDailyCapUsd: usd('The ceiling of each tenant per day.'),
    orgMonthlyCapUsd: usd('The ceiling of each tenant per month.'),
    orgMonthlyTargetUsd: watched('What a tenant should cost per month.'),
    orgMonthlyWarnUsd: watched('What a tenant may cost per month before a warning.'),
    orgMonthlyReviewUsd: watched('What a tenant may cost per month before somebody should review it.'),
  }),
  usage: section('Usage', 'The ledger of the use of models.', {
    turnDays: whole(0, 3650, 0).describe(
      'How many days it is kept how each turn ended, without a word of it: at least 400, or 0 until the workspace is deleted. Counts by day stay.',
    ),
    ledgerDays: whole(0, 3650, 0).describe(
      'How many days each round of a model is kept in the ledger: at least 62, or 0 until the workspace is deleted. Spending and tokens by day stay.',
    ),
    queueCapacity: whole(1, 1_000_000, 5000).describe(
      'How many rows wait in memory while the database is unavailable. Further rows go to files.',
    ),
    spillDirectory: text({ min: 1, of: 'a folder path' })
      .derived('`usage` in Database:DataDirectory', (read) => `${read('Database:DataDirectory')}/usage`)
      .describe('The folder of those files. They are written back when the database answers again.'),
  }),
  safety: section('Safety', 'What is refused, whoever asks.', {
    moderation: section('Moderation', 'The classifier that checks a prompt before it is answered.', {
      enabled: flag(false).describe(
        'The master switch. While it is off, no prompt is checked, whatever the operator decided for a tenant.',
      ),
      defaultForManagedPlans: flag(true).describe(
        'Whether it checks the tenants for which the operator decided nothing, which excludes those on `bring_your_ai`.',
      ),
      timeoutSeconds: decimal(0.1, 120, 8).describe(
        'How long it may take. If it takes longer or fails, the prompt is answered and the failure is logged.',
      ),
      prohibitedCategories: listOf(text({ min: 1, max: 100, of: 'a category' }), 'categories')
        .default(['minors'])
        .describe('The categories that are refused.'),
    }),
  }),
}

const plan = (
  name: string,
  words: string,
  { rounds, deep, output }: { rounds: number; deep: boolean; output: number },
) =>
  section(name, words, {
    rounds: whole(1, 32, rounds).describe(
      'The most rounds of one turn that may call tools. The answer comes after them.',
    ),
    deep: flag(deep).describe('Whether a turn may ask for deep analysis.'),
    maxOutputTokens: whole(64, 200_000, output).describe('The longest answer of one round.'),
    dailyCapUsd: usd('What a tenant on this plan may cost per day.'),
    monthlyCapUsd: usd('What a tenant on this plan may cost per month.'),
  })

export const plans = section('Plans', 'What each plan allows. `free` and `Free` are the same plan.', {
  free: plan('Free', 'For development and testing.', { rounds: 3, deep: false, output: 1024 }),
  bringYourAi: plan('BringYourAi', 'The tenant pays for its model.', { rounds: 5, deep: false, output: 2048 }),
  useTetherAi: plan('UseTetherAi', 'This deployment pays for the model.', { rounds: 8, deep: true, output: 4096 }),
  starter: plan('Starter', 'A band.', { rounds: 4, deep: false, output: 2048 }),
  growth: plan('Growth', 'A band.', { rounds: 6, deep: true, output: 4096 }),
  enterprise: plan('Enterprise', 'A band.', { rounds: 8, deep: true, output: 4096 }),
})
