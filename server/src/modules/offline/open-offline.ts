// Stands in if no model is set up. It is deterministic, free, and honest about what it is.
import { setImmediate } from 'node:timers/promises'
import type { ClosableModel, ModelPart, ModelRequest } from '../../kernel/model/index.ts'
import { answerTo } from './answer.ts'
import { phrasesOf } from './phrases.ts'
import { fenced } from './tell-result.ts'
import { languageAsked } from './words.ts'

export function openOffline(): ClosableModel {
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    signal.throwIfAborted()
    const { text, calls } = answerTo(request)
    const note = calls.length > 0 ? '' : noteFor(request, text)
    for (const piece of piecesOf(text + note)) {
      yield { type: 'text', text: piece }
      // Give others their turn, and notice a caller that has left.
      await setImmediate()
      signal.throwIfAborted()
    }
    for (const call of calls) yield { type: 'call', call }
    // No model read or wrote anything, so it costs nothing.
    yield { type: 'usage', usage: { inputTokens: 0, outputTokens: 0 } }
    yield { type: 'finish', reason: calls.length > 0 ? 'calls' : 'stop' }
  }
  return { kind: 'offline', stream, close: async () => {} }
}

/** Adds to the first answer of a conversation that no model is set up, unless the answer already says so. */
function noteFor({ messages }: ModelRequest, text: string): string {
  const language = languageAsked(messages.find(({ role }) => role === 'system')?.text ?? '')
  if (language === undefined || messages.filter(({ role }) => role === 'user').length > 1) return ''
  const say = phrasesOf(language)
  if ([say.greeting(''), say.about].some((one) => text.startsWith(one))) return ''
  return `\n\n${fenced('footnote', { text: say.noModel })}`
}

const PIECE = /(?:\s*\S+){1,6}\s*|\s+/gu

const piecesOf = (text: string): string[] => text.match(PIECE) ?? []
