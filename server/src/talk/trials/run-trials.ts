import type { TrialCase, TrialRun, TrialsAnswer, TrialsRequest } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'
import { shown } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { openTurnstile } from '../../tenancy/limits/index.ts'
import { isFree, spendTurns } from '../../tenancy/usage/index.ts'
import type { Catalog, Catalogs } from '../../tools/catalog/index.ts'
import { type ChosenModel, type RehearsalRooms, turnLanguage } from '../chat/index.ts'
import { contradictionIn } from './judge.ts'
import { playCase, type Terms } from './play-case.ts'

type TrialRooms = RehearsalRooms & { readonly catalogs: Catalogs; readonly offline: ChosenModel | null }
export type Trials = { run(ctx: Context, asked: TrialsRequest, reader: AbortSignal): Promise<TrialsAnswer> }

/** A workspace runs one trial at a time, so that a long one does not become many. */
export function openTrials(rooms: TrialRooms): Trials {
  const running = new Set<number>()
  return {
    async run(ctx, asked, reader) {
      const { tenantId } = ctx.asking
      refuseUnfit(ctx, asked)
      if (running.has(tenantId)) throw alreadyRunning()
      running.add(tenantId)
      try {
        return await runTrials(ctx, rooms, asked, reader)
      } finally {
        running.delete(tenantId)
      }
    },
  }
}

const alreadyRunning = () =>
  refuse(
    'rate_limited',
    'A trial of this workspace is running, and one runs at a time. Wait for its answer, then send this one again.',
    {},
    { 'retry-after': '5' },
  )

/** Everything that is wrong with the cases is found before the first of them costs anything. */
function refuseUnfit({ settings: { ai } }: Context, { cases }: TrialsRequest): void {
  const unfit = (message: string) => refuse('invalid_request', message)
  const most = ai.trials.maxCases
  if (cases.length > most)
    throw unfit(`There are ${cases.length} cases, and ${most} is the most. Send them in several requests.`)
  for (const [at, { prompt, expect }] of cases.entries()) {
    const where = `cases[${at}]`
    if (prompt.trim() === '') throw refuse('empty_prompt', `${where}.prompt is empty. Send a question.`)
    if (prompt.length > ai.chat.maxPromptChars)
      throw unfit(`${where}.prompt is longer than ${ai.chat.maxPromptChars} characters. Shorten it.`)
    // Its arguments are JSON that was parsed with the request.
    const contradiction = contradictionIn(expect as Parameters<typeof contradictionIn>[0])
    if (contradiction !== null) throw unfit(`${where} ${contradiction}. Leave one of the two out.`)
  }
}

type Played = { readonly run: TrialRun; readonly offline: TrialRun | null }

async function runTrials(
  ctx: Context,
  rooms: TrialRooms,
  { cases, capabilityMode, enableWriteActions = false }: TrialsRequest,
  reader: AbortSignal,
): Promise<TrialsAnswer> {
  const { trials, chat } = ctx.settings.ai
  const catalog = await rooms.catalogs.of(ctx)
  const model = rooms.models.of(ctx.asking.plan)
  const isOffline = model.model.kind === 'offline'
  const terms: Terms = { isDeep: capabilityMode === 'Deep', enableWriteActions }
  const deadline = AbortSignal.any([reader, AbortSignal.timeout(trials.timeoutSeconds * 1000)])
  const through = openTurnstile(trials.maxConcurrent)
  const play = (one: TrialCase, by: ChosenModel) => {
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(chat.turnSeconds * 1000)])
    return playCase(ctx, rooms, { one, catalog, model: by, terms }, signal)
  }
  // All of them or none, so that no allowance goes without an answer.
  if (isFree(ctx.asking.plan))
    await spendTurns(ctx, ctx.asking.tenantId, ctx.settings.rateLimit.freePlanRequestsPerDay, cases.length)
  const played = await Promise.all(
    cases.map((one) =>
      through(async (): Promise<Played> => {
        const run = await play(one, model)
        return { run, offline: isOffline || rooms.offline === null ? null : await play(one, rooms.offline) }
      }),
    ),
  )
  reader.throwIfAborted()
  return answerOf({ cases, played, catalog, model })
}

type ToAnswer = {
  readonly cases: readonly TrialCase[]
  readonly played: readonly Played[]
  readonly catalog: Catalog
  readonly model: ChosenModel
}

function answerOf({ cases, played, catalog, model }: ToAnswer): TrialsAnswer {
  const runs = played.map(({ run }) => run)
  const offline = played.flatMap((one) => one.offline ?? [])
  return {
    catalogVersion: catalog.version,
    ...sumsOf(runs),
    model: model.name,
    costUsd: Number(runs.reduce((sum, { costUsd }) => sum + costUsd, 0).toFixed(12)),
    offline: offline.length === 0 ? null : sumsOf(offline),
    count: cases.length,
    results: cases.map((one, at) => {
      const { run, offline: also } = playedAt(played, at)
      const { prompt } = one
      const warnings = warningsOn(one, catalog)
      const language = turnLanguage(one.language, [prompt])
      return { prompt, language, warnings, ...run, ...(also === null ? {} : { offline: also }) }
    }),
  }
}

function playedAt(played: readonly Played[], at: number): Played {
  const one = played[at]
  if (one === undefined) throw new Error('A case was not played.')
  return one
}

const sumsOf = (runs: readonly TrialRun[]) => {
  const passed = runs.filter((run) => run.passed).length
  return { passed, failed: runs.length - passed }
}

const MOST_WARNINGS = 20

/** A name that the catalog does not have may be misspelt, and then the case tries something else than it says. */
function warningsOn({ expect, results = {} }: TrialCase, catalog: Catalog): string[] {
  const unread = Object.keys(results).filter((name) => catalog.find(name)?.isWrite !== false)
  const named = expect.tool === undefined || catalog.find(expect.tool) !== undefined ? [] : [expect.tool]
  return [
    ...named.map((name) => `expect.tool is ${shown(name)}, which the catalog does not have.`),
    ...unread.map((name) => `results has ${shown(name)}, which is no read of the catalog, so nothing asks for it.`),
  ].slice(0, MOST_WARNINGS)
}
