import type { Block, ChatFrame, Language, OpenAiChunk, Proposal } from '@tether/contract'
import type { ServerEvent } from '../../kernel/http/index.ts'
import { refusalFromFrame } from '../../talk/chat/index.ts'
import { finishReason, head, idsOf, usageOf } from './completion.ts'
import { errorOf } from './errors.ts'
import { blockWords, proposalWords } from './markdown.ts'
import { WORDS } from './words.ts'

type FrameOf<Type extends ChatFrame['type']> = Extract<ChatFrame, { type: Type }>

type Options = {
  readonly now: number
  /** For what ends without an answer, which says its own. */
  readonly language: Language
  readonly includeUsage: boolean
}
type Told = Options & {
  head: ReturnType<typeof head>
  /** What is said next: at the beginning, after words, or after something that stands for itself. */
  at: 'start' | 'words' | 'break'
  readonly proposals: Proposal[]
  /** Footnotes that may close the answer: what waits is told before them, as in a whole answer. */
  readonly footnotes: Block[]
}
type Chunk = OpenAiChunk | ReturnType<typeof errorOf>
type Choice = OpenAiChunk['choices'][number]

/** Tells the frames of a turn as the chunks of a completion. */
export async function* chunksOf(frames: AsyncIterable<ServerEvent>, options: Options): AsyncGenerator<ServerEvent> {
  const told: Told = { ...options, head: head('', options.now), at: 'start', proposals: [], footnotes: [] }
  for await (const { data } of frames) {
    if (data === undefined) continue
    // The cast is true because the frames are those that we have just written.
    for (const chunk of chunksIn(told, JSON.parse(data) as ChatFrame)) yield { data: JSON.stringify(chunk) }
  }
  yield { data: '[DONE]' }
}

function* chunksIn(told: Told, frame: ChatFrame): Generator<Chunk> {
  switch (frame.type) {
    case 'start':
      told.head = head(frame.requestId, told.now)
      yield { ...chunk(told, { delta: { role: 'assistant', content: '' } }), metadata: idsOf(frame) }
      return
    case 'delta':
      return yield* wordChunks(told, frame.text)
    case 'block':
      if (frame.block.type === 'footnote') told.footnotes.push(frame.block)
      else yield* standingChunks(told, blockWords(frame.block))
      return
    case 'proposal':
      told.proposals.push(frame.proposal)
      return
    case 'complete':
      return yield* completeChunks(told, frame)
    case 'error':
      return yield* errorChunks(told, frame)
  }
}

/** With the usage asked for, each chunk has the member, and only the last one has a figure in it. */
const chunk = (told: Told, { delta = {}, finish_reason = null }: Partial<Choice>): OpenAiChunk => ({
  ...told.head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  ...(told.includeUsage ? { usage: null } : {}),
})

const say = (told: Told, content: string): OpenAiChunk => chunk(told, { delta: { content } })

function* flushFootnotes(told: Told): Generator<OpenAiChunk> {
  for (const footnote of told.footnotes.splice(0)) yield standing(told, blockWords(footnote))
}

function* wordChunks(told: Told, text: string): Generator<OpenAiChunk> {
  yield* flushFootnotes(told)
  yield say(told, told.at === 'break' ? `\n\n${text.replace(/^\n+/, '')}` : text)
  told.at = 'words'
}

function* standingChunks(told: Told, words: string): Generator<OpenAiChunk> {
  yield* flushFootnotes(told)
  yield standing(told, words)
}

/** What begins on a line of its own, and ends with one. */
function standing(told: Told, words: string): OpenAiChunk {
  const said = say(told, told.at === 'start' ? words : `\n\n${words}`)
  told.at = 'break'
  return said
}

function* completeChunks(told: Told, { meta, ...ids }: FrameOf<'complete'>): Generator<OpenAiChunk> {
  if (meta.takenOver) yield standing(told, WORDS[meta.language].takenOver)
  for (const proposal of told.proposals) yield standing(told, proposalWords(proposal, meta.language))
  yield* flushFootnotes(told)
  yield { ...chunk(told, { finish_reason: finishReason(meta) }), metadata: idsOf(ids) }
  if (told.includeUsage) yield { ...chunk(told, {}), choices: [], usage: usageOf(meta) }
}

/** As in a whole answer, a ceiling of spend is said in words. Anything else ends the stream with the error of its route. */
function* errorChunks(told: Told, frame: FrameOf<'error'>): Generator<Chunk> {
  if (!frame.code.endsWith('_BUDGET_EXCEEDED')) return yield errorOf(refusalFromFrame(frame))
  yield standing(told, WORDS[told.language].unavailable)
  yield chunk(told, { finish_reason: 'stop' })
}
