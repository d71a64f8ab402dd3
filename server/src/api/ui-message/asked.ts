import type { UiMessage } from '@tether/contract'
import { type Refusal, refuse } from '../../kernel/http/index.ts'
import type { StreamBody } from '../../talk/chat/index.ts'

/**
 * What `useChat` sends, in our words: its last message asks, and the `sessionId` that its last answer came with says which
 * conversation goes on. Nothing else of the messages is read, because we keep conversations ourselves.
 */
export function askedIn({ messages = [], ...body }: StreamBody): StreamBody {
  const sessionId = body.sessionId ?? body.session_id ?? sessionOf(messages)
  if (body.watch === true || body.requestId !== undefined || body.prompt !== undefined) return { ...body, sessionId }
  const last = messages.at(-1)
  if (last === undefined) return { ...body, sessionId }
  if (last.role !== 'user') throw notAsking(last)
  return { ...body, sessionId, prompt: wordsOf(last), image: body.image ?? pictureOf(last) }
}

type Part = UiMessage['parts'][number]
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function sessionOf(messages: readonly UiMessage[]): string | undefined {
  for (const { role, metadata } of messages.toReversed()) {
    if (role !== 'assistant' || typeof metadata !== 'object' || metadata === null) continue
    const sessionId = 'sessionId' in metadata ? text(metadata.sessionId) : undefined
    if (sessionId !== undefined) return sessionId
  }
  return undefined
}

const wordsOf = ({ parts }: UiMessage): string =>
  parts.flatMap((part) => (part.type === 'text' ? (text(part.text) ?? []) : [])).join('\n')

const DATA_ADDRESS = /^data:([^;,]*);base64,/

/** A picture comes as an address: of the web, or one that holds it. */
function pictureOf({ parts }: UiMessage): StreamBody['image'] {
  const [file, more] = parts.filter((part: Part) => part.type === 'file')
  if (file === undefined) return undefined
  if (more !== undefined)
    throw refuse('invalid_image', 'A question takes one picture. Send the others with questions of their own.')
  const url = text(file.url) ?? ''
  const held = DATA_ADDRESS.exec(url)
  const mimeType = text(file.mediaType) ?? held?.[1]
  const type = mimeType === undefined ? {} : { mimeType }
  return held === null ? { url, ...type } : { data: url.slice(held[0].length), ...type }
}

function notAsking({ role, parts }: UiMessage): Refusal {
  if (role === 'assistant' && parts.some(({ state }) => state === 'approval-responded'))
    return refuse(
      'invalid_request',
      'An approval is not decided in the chat, so leave `sendAutomaticallyWhen` out. POST /v1/actions/{approvalId}/confirm decides it, with the token of the part `data-confirmation`, or somebody in the inbox.',
    )
  return refuse('invalid_request', 'The last of `messages` must be what the person asks, with the role `user`.')
}
