// Listens in on a model, so that a case can be judged by what was asked for, and a failure shown word for word.
import type { TrialRun } from '@tether/contract'
import { cut } from '../../kernel/json/index.ts'
import {
  type Message,
  type Model,
  type ModelCall,
  type ModelPart,
  type ModelRequest,
  readEnvelopes,
  storableStream,
} from '../../kernel/model/index.ts'

/** Characters of a transcript, and of one line in it. */
const MOST_CHARACTERS = 20_000
const LONGEST_LINE = 4_000

type Line = NonNullable<TrialRun['transcript']>[number]

type Heard = {
  readonly model: Model
  /** Every call that was asked for, in order. */
  readonly calls: readonly ModelCall[]
  transcript(): Line[]
}

export function listenTo(model: Model): Heard {
  const calls: ModelCall[] = []
  let before: readonly Message[] = []
  let latest = { text: '', calls: [] as ModelCall[] }
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    before = request.messages
    const said = { text: '', calls: [] as ModelCall[] }
    latest = said
    for await (const part of storableStream(model, request, signal)) {
      if (part.type === 'text') said.text += part.text
      if (part.type === 'call') {
        said.calls.push(part.call)
        calls.push(part.call)
      }
      yield part
    }
  }
  return {
    model: { kind: model.kind, stream },
    calls,
    transcript: () => shortened([...before, { role: 'assistant', ...latest } as const].flatMap(lineOf)),
  }
}

/** What the model was told of the business and of itself is left out. */
function lineOf(message: Message): Line[] {
  switch (message.role) {
    case 'system':
      return []
    case 'user':
      return [{ role: 'visitor', text: message.text }]
    case 'tool':
      return [
        { role: 'tool', tool: message.name.slice(0, 64), text: readEnvelopes(message.text)[0]?.text ?? message.text },
      ]
    case 'assistant': {
      const calls = (message.calls ?? []).map((call) => ({ tool: call.name.slice(0, 64), arguments: call.arguments }))
      return message.text === '' && calls.length === 0
        ? []
        : [{ role: 'assistant', text: message.text, ...(calls.length > 0 ? { calls } : {}) }]
    }
  }
}

function shortened(lines: readonly Line[]): Line[] {
  let left = MOST_CHARACTERS
  const take = (text: string): string => {
    if (left < 2) return ''
    const shown = cut(text, Math.min(left, LONGEST_LINE))
    left = Math.max(0, left - shown.length)
    return shown
  }
  const kept: Line[] = []
  for (const line of lines) {
    if (left < 2) break
    const text = take(line.text)
    const calls = line.calls?.slice(0, 20).map((call) => ({ ...call, arguments: take(call.arguments) }))
    kept.push({ ...line, text, ...(calls === undefined ? {} : { calls }) })
  }
  return kept
}
