// A real turn with everything beside its words: each frame, what was called with which arguments and what came back, the passages
// that were found, what it cost, and the trial case that says the same again.
import type { CalledTool, ChatAnswer, ChatFrame, Proposal } from '@tether/contract'
import { isObject, type Json, type JsonObject, jsonEqual, parseJson, setMember } from '../../kernel/json/index.ts'
import { costOf, type ModelCall, usdText } from '../../kernel/model/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { Calls } from '../../tools/calls/index.ts'
import { reservedName, toolNamePattern } from '../../tools/catalog/index.ts'
import { askStreaming, type ChatRooms, type Passage, type TurnRequest } from '../chat/index.ts'
import { listenTo } from './listen.ts'

export type WatchedCall = CalledTool & {
  /** Null where the model gave no JSON object. */
  readonly arguments: JsonObject | null
  /** What the business answered. Undefined where it was not asked, or did not. */
  readonly answered?: Json
}

export type WatchedTurn = {
  readonly frames: readonly ChatFrame[]
  readonly calls: readonly WatchedCall[]
  readonly passages: readonly Passage[]
  readonly model: string
  /** In US dollars. */
  readonly costUsd: number
  /** Null where the turn ended with an error, which the last frame says. */
  readonly answer: ChatAnswer | null
  /** As `POST /v1/tools/trials` takes it. */
  readonly trialCase: JsonObject
}

/** Plays a turn as the stream does, for somebody who reads it when it is over; `heard` is told each frame as it comes. It costs and counts as any other. */
export async function watchTurn(
  ctx: Context,
  rooms: ChatRooms,
  request: TurnRequest,
  { signal, heard: hear }: { readonly signal: AbortSignal; readonly heard?: (frame: ChatFrame) => void },
): Promise<WatchedTurn> {
  const chosen = rooms.models.of(ctx.asking.plan)
  const heard = listenTo(chosen.model)
  const found: Passage[] = []
  const read: Read[] = []
  const listening: ChatRooms = {
    ...rooms,
    models: { of: () => ({ ...chosen, model: heard.model }) },
    retrieval: {
      ...rooms.retrieval,
      async find(...asked) {
        const passages = await rooms.retrieval.find(...asked)
        found.push(...passages)
        return passages
      },
    },
    calls: { ...rooms.calls, read: readAloud(rooms.calls, read) },
  }
  const frames: ChatFrame[] = []
  for await (const { data } of await askStreaming(ctx, listening, request, { signal }))
    if (data !== undefined) {
      const frame = frameIn(data)
      frames.push(frame)
      hear?.(frame)
    }
  const last = frames.at(-1)
  const answer = last?.type === 'complete' ? answerIn(last) : null
  const calls = callsIn(frames, heard.calls, read)
  const proposals = frames.flatMap((frame) => (frame.type === 'proposal' ? frame.proposal : []))
  return {
    frames,
    calls,
    passages: found,
    model: chosen.name,
    costUsd: answer === null ? 0 : Number(usdText(costOf(answer.meta.usage, chosen.price))),
    answer,
    trialCase: trialCaseOf(request, calls, proposals),
  }
}

type Read = { readonly tool: string; readonly arguments: JsonObject; readonly answered: Json }

/** A read whose record is not there has answered, too: a case says so with a status. */
const readAloud =
  (calls: Calls, heard: Read[]): Calls['read'] =>
  async (ctx, input, signal) => {
    const result = await calls.read(ctx, input, signal)
    const said = { tool: input.tool.name, arguments: input.arguments }
    if (result.status === 'ok') heard.push({ ...said, answered: result.value })
    else if (result.notFound !== undefined) heard.push({ ...said, answered: { status: 'not_found' } })
    return result
  }

/** The cast is true because `runTurn` wrote the frame. */
const frameIn = (data: string): ChatFrame => JSON.parse(data) as ChatFrame

function answerIn({ type: _, ...answer }: Extract<ChatFrame, { type: 'complete' }>): ChatAnswer {
  return answer
}

/** A round that was cut off made none of its calls, so that there may be fewer frames than calls. */
function callsIn(frames: readonly ChatFrame[], asked: readonly ModelCall[], read: readonly Read[]): WatchedCall[] {
  const left = [...read]
  const tools = frames.flatMap((frame) => (frame.type === 'tool' ? frame : []))
  return tools.map(({ tool, status, durationMs }, at) => {
    const given = argumentsOf(asked[at])
    const place = left.findIndex((one) => one.tool === tool && given !== null && jsonEqual(one.arguments, given))
    const [answered] = place === -1 ? [] : left.splice(place, 1)
    const said = { tool, status, durationMs, arguments: given }
    return answered === undefined ? said : { ...said, answered: answered.answered }
  })
}

function argumentsOf(call: ModelCall | undefined): JsonObject | null {
  if (call === undefined || call.arguments.trim() === '') return {}
  try {
    const value = parseJson(call.arguments)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** What the turn did is what the case expects: its proposal, or else the first call that counted, or else none. */
function trialCaseOf(
  { prompt, language }: TurnRequest,
  calls: readonly WatchedCall[],
  proposals: readonly Proposal[],
): JsonObject {
  const ofCatalog = calls.filter(({ tool }) => tool !== reservedName && toolNamePattern.test(tool))
  const results: Record<string, Json> = {}
  for (const { tool, answered } of ofCatalog)
    if (answered !== undefined && !Object.hasOwn(results, tool)) setMember(results, tool, answered)
  return {
    prompt,
    ...(language === undefined ? {} : { language }),
    ...(Object.keys(results).length === 0 ? {} : { results }),
    expect: expectationOf(ofCatalog, proposals),
  }
}

function expectationOf(calls: readonly WatchedCall[], [proposal]: readonly Proposal[]): JsonObject {
  const wanted = proposal === undefined ? 'ok' : 'staged'
  const call = calls.find(({ status, tool }) => status === wanted && (proposal === undefined || tool === proposal.tool))
  if (call !== undefined)
    return {
      tool: call.tool,
      ...(call.arguments === null ? {} : { arguments: call.arguments }),
      proposal: wanted === 'staged',
    }
  return calls.length === 0 ? { noCall: true } : {}
}
