// What a turn may take: its tools, its pictures, its memory, its money. The models themselves are another section's.
import { derivedSetting, section, setting } from '../setting.ts'
import { decimal, domain, flag, listOf, oneOf, text, whole } from '../shapes.ts'

const MUCH = 100_000_000
const usd = (meaning: string) => setting(decimal(0, MUCH), { default: 0, meaning: `${meaning} 0 is no limit.` })
const watched = (meaning: string) =>
  setting(decimal(0, MUCH), { default: 0, meaning: `${meaning} Only logged; 0 is off.` })

export const assistant = {
  chat: section('Chat', 'One turn of a conversation.', {
    maxPromptChars: setting(whole(100, 1_000_000), { default: 8000, meaning: 'The longest prompt, in characters.' }),
    turnSeconds: setting(decimal(1, 3600), { default: 180, meaning: 'How long one turn may take, tools and all.' }),
    toolTokenBudget: setting(whole(200, 1_000_000), {
      default: 12_000,
      meaning:
        'About how many tokens the tools of a turn may take; a larger catalog is offered by nearness to what was asked.',
    }),
    maxToolResultChars: setting(whole(500, 10_000_000), {
      default: 24_000,
      meaning: 'How much of one tool result a model is shown; it is told when there is more.',
    }),
    resumeSeconds: setting(decimal(1, 3600), {
      default: 120,
      meaning: 'How long the frames of a turn with `resume: true` can be read again after it ended.',
    }),
    maxResumableTurns: setting(whole(1, 1_000_000), {
      default: 2000,
      meaning: 'How many such turns one instance keeps; beyond that a new one ends with its reader, like any other.',
    }),
  }),
  orchestration: section('Orchestration', 'How the tools of a turn are called.', {
    maxConcurrentTools: setting(whole(1, 4), { default: 4, meaning: 'Calls of one turn that are in flight together.' }),
  }),
  multimodal: section('Multimodal', 'Pictures in a prompt.', {
    enabled: setting(flag, { default: true, meaning: 'Whether a prompt may carry a picture.' }),
    allowedMimeTypes: setting(listOf(oneOf('image/png', 'image/jpeg', 'image/webp'), 'MIME types'), {
      default: ['image/png', 'image/jpeg', 'image/webp'],
      meaning: 'The kinds of picture that are taken.',
    }),
    maxImageBytes: setting(whole(1024, 67_108_864), { default: 4_194_304, meaning: 'The largest picture in bytes.' }),
    requireHttpsForUrls: setting(flag, { default: true, meaning: 'Refuses pictures by http address.' }),
    allowedUrlHosts: setting(listOf(domain, 'host names'), {
      default: [],
      meaning: 'Hosts from which a picture is fetched by address; empty is any.',
    }),
  }),
  memory: section('Memory', 'What a conversation remembers, and for how long it is kept.', {
    recentExchanges: setting(whole(1, 200), {
      default: 8,
      meaning: 'The latest questions and answers of a conversation that a model is shown word for word.',
    }),
    summarizeAfterExchanges: setting(whole(2, 1000), {
      default: 16,
      meaning: 'Past so many that are not in the summary yet, all but the latest are summarised.',
    }),
    maxSummaryChars: setting(whole(200, 50_000), { default: 2000, meaning: 'The longest summary.' }),
    retentionDays: setting(decimal(0, 36_500), {
      default: 90,
      meaning: 'Conversations that rested so long are deleted, with their ratings; 0 keeps them.',
    }),
  }),
  budget: section('Budget', 'Ceilings of what models may cost, by UTC day and month.', {
    globalDailyCapUsd: usd('Of the whole deployment, per day.'),
    globalMonthlyCapUsd: usd('Of the whole deployment, per month.'),
    orgDailyCapUsd: usd('Of each tenant, per day.'),
    orgMonthlyCapUsd: usd('Of each tenant, per month.'),
    orgMonthlyTargetUsd: watched('What a tenant is meant to cost per month.'),
    orgMonthlyWarnUsd: watched('What a tenant may cost per month before a warning.'),
    orgMonthlyReviewUsd: watched('What a tenant may cost per month before somebody should look.'),
  }),
  usage: section('Usage', 'The ledger of what models were used.', {
    queueCapacity: setting(whole(1, 1_000_000), {
      default: 5000,
      meaning: 'Rows that wait in memory while the database is away; more go to files.',
    }),
    spillDirectory: derivedSetting(
      text({ min: 1, of: 'a folder path' }),
      { meaning: 'The folder of those files. They are written back when the database answers again.' },
      { words: '`usage` in Database:DataDirectory', derive: (read) => `${read('Database:DataDirectory')}/usage` },
    ),
  }),
  safety: section('Safety', 'What is refused whoever asks.', {
    moderation: section('Moderation', 'The classifier that looks at a prompt before it is answered.', {
      enabled: setting(flag, {
        default: false,
        meaning: 'The master switch: while it is off no prompt is looked at, whatever is said of a tenant.',
      }),
      defaultForManagedPlans: setting(flag, {
        default: true,
        meaning:
          'Looks at the prompts of every tenant of whom the operator has not said otherwise, but those on `bring_your_ai`.',
      }),
      timeoutSeconds: setting(decimal(0.1, 120), {
        default: 8,
        meaning: 'How long it may take; past that, or when it fails, the prompt is answered and the failure logged.',
      }),
      prohibitedCategories: setting(listOf(text({ min: 1, max: 100, of: 'a category' }), 'categories'), {
        default: ['minors'],
        meaning: 'The categories that are refused.',
      }),
    }),
  }),
}

const plan = (
  name: string,
  words: string,
  { rounds, deep, output }: { rounds: number; deep: boolean; output: number },
) =>
  section(name, words, {
    rounds: setting(whole(1, 32), {
      default: rounds,
      meaning: 'In how many rounds of one turn tools are called at most; the answer comes after them.',
    }),
    deep: setting(flag, { default: deep, meaning: 'Whether a turn may ask for deep analysis.' }),
    maxOutputTokens: setting(whole(64, 200_000), { default: output, meaning: 'The longest answer of one round.' }),
    dailyCapUsd: usd('What a tenant on it may cost per day.'),
    monthlyCapUsd: usd('What a tenant on it may cost per month.'),
  })

export const plans = section('Plans', 'What each plan may do. `free` and `Free` are one.', {
  free: plan('Free', 'For development and testing.', { rounds: 3, deep: false, output: 1024 }),
  bringYourAi: plan('BringYourAi', 'The tenant pays for its model.', { rounds: 5, deep: false, output: 2048 }),
  useTetherAi: plan('UseTetherAi', 'This deployment pays for the model.', { rounds: 8, deep: true, output: 4096 }),
  starter: plan('Starter', 'A band.', { rounds: 4, deep: false, output: 2048 }),
  growth: plan('Growth', 'A band.', { rounds: 6, deep: true, output: 4096 }),
  enterprise: plan('Enterprise', 'A band.', { rounds: 8, deep: true, output: 4096 }),
})
