// Holds what a turn did against what a case expects. Pure.
import type { Proposal, ToolStatus } from '@tether/contract'
import { isObject, type Json, type JsonObject, jsonEqual, listed, member, shown } from '../../kernel/json/index.ts'

export type Expectation = {
  readonly tool?: string | undefined
  readonly arguments?: JsonObject | undefined
  readonly proposal?: boolean | undefined
  readonly answerHas?: string | readonly string[] | undefined
  readonly noCall?: boolean | undefined
}

export type Chosen = { readonly tool: string; readonly arguments: JsonObject | null; readonly status: ToolStatus }

export type Done = {
  /** Everything that was asked for, in order; calling for a person is no call of the catalog. */
  readonly chosen: readonly Chosen[]
  readonly handsOver: (tool: string) => boolean
  readonly proposals: readonly Proposal[]
  readonly answer: string
}

/** What was expected and did not happen. */
export function failuresOf(expected: Expectation, done: Done): string[] {
  return [
    ...ofCall(expected, done),
    ...ofProposal(expected, done),
    ...ofSilence(expected, done),
    ...ofAnswer(expected, done),
  ]
}

/** A contradiction, which no turn could meet; null where there is none. */
export function contradictionIn({ tool, arguments: given, proposal, noCall }: Expectation): string | null {
  if (noCall !== true) return null
  if (proposal === true) return 'expects a proposal and no call, but a proposal is one'
  return tool === undefined && given === undefined ? null : 'expects a call and no call'
}

// What the turn refused to do, because it did not fit, was not chosen well.
const NOT_MADE: ReadonlySet<ToolStatus> = new Set(['failed', 'unknown_tool', 'customer_required'])

function ofCall({ tool, arguments: expected, proposal }: Expectation, { chosen, proposals }: Done): string[] {
  if (tool === undefined && expected === undefined) return []
  const made =
    proposal === true
      ? proposals.map((one) => ({ tool: one.tool, arguments: isObject(one.arguments) ? one.arguments : null }))
      : chosen.filter(({ status }) => !NOT_MADE.has(status))
  const named = made.filter((one) => tool === undefined || one.tool === tool)
  if (named.length === 0) {
    const what = proposal === true ? 'a proposal of' : 'a call of'
    return [`Expected ${what} ${tool === undefined ? 'some tool' : shown(tool)}. ${whatWasChosen(chosen)}`]
  }
  if (expected === undefined) return []
  const misfits = named.map((one) => misfit(expected, one.arguments ?? {}))
  const [nearest] = misfits.sort((one, other) => one.length - other.length)
  if (nearest === undefined || nearest.length === 0) return []
  return nearest.map(({ name, wanted, got }) => {
    const given = got === undefined ? 'was not given' : `was ${shown(got)}`
    return `Expected the argument ${shown(name)} to be ${wanted === null ? 'absent' : shown(wanted)}, and it ${given}.`
  })
}

type Misfit = { readonly name: string; readonly wanted: Json; readonly got: Json | undefined }

const misfit = (expected: JsonObject, given: JsonObject): Misfit[] =>
  Object.keys(expected).flatMap((name) => {
    const wanted = member(expected, name) ?? null
    const got = member(given, name)
    return (wanted === null && got === undefined) || (got !== undefined && jsonEqual(wanted, got))
      ? []
      : [{ name, wanted, got }]
  })

function ofProposal({ proposal, tool, arguments: expected }: Expectation, { proposals, chosen }: Done): string[] {
  if (proposal === undefined) return []
  if (!proposal) {
    if (proposals.length === 0) return []
    return [
      `Expected no proposal. Proposed: ${listed(
        proposals.map((one) => one.tool),
        MOST_LISTED,
      )}.`,
    ]
  }
  // Where a tool or arguments are named, what is missing has been said of those.
  if (proposals.length > 0 || tool !== undefined || expected !== undefined) return []
  return [`Expected a proposal. ${whatWasChosen(chosen)}`]
}

function ofSilence({ noCall }: Expectation, { chosen, handsOver }: Done): string[] {
  const calls = noCall === true ? chosen.filter(({ tool }) => !handsOver(tool)) : []
  return calls.length === 0 ? [] : [`Expected no call. ${whatWasChosen(calls)}`]
}

function ofAnswer({ answerHas = [] }: Expectation, { answer }: Done): string[] {
  const said = plain(answer)
  return [answerHas]
    .flat()
    .filter((words) => !said.includes(plain(words)))
    .map((words) => `Expected the answer to have ${shown(words)}, and it does not.`)
}

const plain = (text: string): string => text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim()

const MOST_LISTED = 5

const whatWasChosen = (chosen: readonly Chosen[]): string =>
  chosen.length === 0
    ? 'The turn called nothing.'
    : `The turn chose ${listed(
        chosen.map(({ tool, status }) => `${tool} (${status})`),
        MOST_LISTED,
      )}.`
