import type { Block, ChatAnswer, Proposal, Source, ToolStatus } from '@tether/contract'

/** One part of the UI message stream. Its shapes are theirs, and their own client reads them in the tests. */
export type Part = { readonly type: string; readonly [member: string]: unknown }

type Called = { readonly toolCallId: string; readonly toolName: string }

/** The tools are not the page's, so each is `dynamic`, and `providerExecuted`: the page neither runs nor answers it. */
export const calledPart = ({ toolCallId, toolName }: Called, input: unknown = {}, title?: string): Part => ({
  type: 'tool-input-available',
  toolCallId,
  toolName,
  input,
  dynamic: true,
  providerExecuted: true,
  ...(title === undefined ? {} : { title }),
})

const endedPart = (type: string, { toolCallId }: Called, said: object): Part => ({
  type,
  toolCallId,
  dynamic: true,
  providerExecuted: true,
  ...said,
})

/** A call that ended without a proposal. What a read found out is for the model, and is not shown. */
export const resultPart = (called: Called, status: ToolStatus, durationMs: number): Part =>
  status === 'ok' || status === 'staged'
    ? endedPart('tool-output-available', called, { output: { status, durationMs } })
    : failedPart(called, `This call ended with the status “${status}”.`)

export const failedPart = (called: Called, errorText: string): Part =>
  endedPart('tool-output-error', called, { errorText })

/**
 * A write that waits: the call that asks for approval, and the proposal with all that a card shows. The token goes beside
 * them in a part that no message keeps, so that it is neither stored nor sent along with later questions.
 */
export function proposalParts(called: Called, { confirmationToken, ...proposal }: Proposal): Part[] {
  const { actionId, summary, title } = proposal
  return [
    calledPart(called, proposal.arguments, title),
    { type: 'tool-approval-request', approvalId: actionId, toolCallId: called.toolCallId, reason: summary },
    { type: 'data-proposal', id: actionId, data: proposal },
    ...(confirmationToken === undefined
      ? []
      : [{ type: 'data-confirmation', id: actionId, data: { actionId, confirmationToken }, transient: true }]),
  ]
}

/** Each type of block is a type of data part: `data-table`, `data-kpi`. */
export const blockPart = (id: string, { type, ...data }: Block): Part => ({ type: `data-${type}`, id, data })

export const sourcePart = (sourceId: string, { kind, title, url }: Source): Part => {
  const said = { sourceId, title, providerMetadata: { tether: { kind } } }
  return url === null
    ? { type: 'source-document', mediaType: 'text/plain', ...said }
    : { type: 'source-url', url, ...said }
}

/** What an answer says about itself. The proposals, decisions and sources of an answer are parts of it. */
export function metadataOf({ sessionId, requestId, meta }: ChatAnswer) {
  const { resultPath, preview, takenOver, handoff, usage, language, capabilityMode } = meta
  return { sessionId, requestId, resultPath, preview, takenOver, handoff, usage, language, capabilityMode }
}
