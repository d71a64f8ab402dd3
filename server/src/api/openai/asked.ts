import type { OpenAiMessage, OpenAiRequest } from '@tether/contract'
import { type Refusal, refuse } from '../../kernel/http/index.ts'
import type { TurnRequest } from '../../talk/chat/index.ts'
import { MODEL } from './completion.ts'

const SOURCE = 'POST /v1/openai/chat/completions'

/** What earlier messages may tell a turn, from the latest back. They are sent anew with each question. */
const MOST_EARLIER = 40
const MOST_EARLIER_CHARS = 24_000

/** The last message as the question of a turn. Whatever would promise another answer than a turn gives is refused. */
export function questionIn(request: OpenAiRequest): TurnRequest {
  refuseWhatWeDoNot(request)
  const last = request.messages.at(-1)
  if (last?.role !== 'user')
    throw refuse('invalid_request', '`messages` must end with what is asked, in a message of the role `user`.')
  const { text, pictures } = readContent(last)
  if (text.trim() === '') throw refuse('empty_prompt', '`messages` ends with an empty question. Send it as text.')
  const [picture, more] = pictures
  if (more !== undefined) throw refuse('invalid_image', '`messages` ends with several pictures. Send one.')
  return {
    surface: 'chat',
    source: SOURCE,
    prompt: text,
    sessionId: (request.metadata?.sessionId ?? request.metadata?.session_id) || null,
    isDeep: false,
    enableWriteActions: false,
    language: undefined,
    image: picture,
    maxRounds: undefined,
    instructions: null,
    earlier: earlierIn(request.messages.slice(0, -1)),
    // Whoever reads the answer in a chat program is not the server that its key belongs to.
    mayHoldTokens: false,
  }
}

function refuseWhatWeDoNot(request: OpenAiRequest): void {
  const refused = (message: string): Refusal => refuse('invalid_request', message)
  if (request.model !== MODEL)
    throw refused(`\`model\` must be \`${MODEL}\`, the one that GET /v1/openai/models names.`)
  for (const name of ['tools', 'functions'] as const) {
    const given = request[name]
    if (Array.isArray(given) && given.length > 0)
      throw refused(
        `\`${name}\` are not taken here: the assistant uses those of the workspace’s catalog, under its rules. Leave them out; PUT /v1/tools registers tools.`,
      )
  }
  if (request.n !== undefined && request.n !== 1) throw refused('`n` must be 1: a question has one answer here.')
  const { response_format: format, modalities, audio } = request
  if (isNamed(format) && format.type !== 'text')
    throw refused('`response_format` must be `text`: the assistant answers in words. Leave it out.')
  if (audio != null || (Array.isArray(modalities) && modalities.some((one) => one !== 'text')))
    throw refused('`modalities` must be text alone: the assistant does not speak. Leave it out.')
  if (request.logprobs === true) throw refused('`logprobs` are not known here. Leave it out.')
}

const isNamed = (value: unknown): value is { readonly type?: unknown } => typeof value === 'object' && value !== null

type Content = { readonly text: string; readonly pictures: readonly NonNullable<TurnRequest['image']>[] }

function readContent({ content }: OpenAiMessage): Content {
  if (typeof content === 'string') return { text: content, pictures: [] }
  const parts = content ?? []
  const other = parts.find(({ type }) => type !== 'text' && type !== 'image_url')
  if (other !== undefined)
    throw refuse(
      'invalid_request',
      `\`messages\` ends with a part of the type \`${other.type.slice(0, 40)}\`. Send text, and pictures as \`image_url\`.`,
    )
  return {
    text: wordsIn(parts),
    pictures: parts.flatMap((part) => (part.type === 'image_url' ? [pictureIn(part)] : [])),
  }
}

type ContentPart = { readonly type: string; readonly [member: string]: unknown }

const wordsIn = (parts: readonly ContentPart[]): string =>
  parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : [])).join('\n')

const DATA_ADDRESS = /^data:([^;,]*);base64,/

function pictureIn({ image_url: given }: ContentPart): NonNullable<TurnRequest['image']> {
  const url = isAddressed(given) && typeof given.url === 'string' ? given.url : ''
  const held = DATA_ADDRESS.exec(url)
  return held === null ? { url } : { data: url.slice(held[0].length), mimeType: held[1] }
}

const isAddressed = (value: unknown): value is { readonly url?: unknown } => typeof value === 'object' && value !== null

/** The words of earlier messages alone. Calls and results of tools among them are not ours, and are left out. */
function earlierIn(messages: readonly OpenAiMessage[]): TurnRequest['earlier'] {
  const kept: { by: string; text: string }[] = []
  let room = MOST_EARLIER_CHARS
  for (const { role, content } of messages.toReversed()) {
    const text = (typeof content === 'string' ? content : wordsIn(content ?? [])).trim()
    if (text === '' || role === 'tool' || role === 'function') continue
    if (kept.length === MOST_EARLIER || room <= 0) break
    kept.unshift({ by: role.slice(0, 20), text: text.slice(0, room) })
    room -= text.length
  }
  return kept
}
