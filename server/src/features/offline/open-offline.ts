// Stands in if no model is set up. It is deterministic, free, and honest about what it is.
import { setImmediate } from 'node:timers/promises'
import type { ClosableModel, ModelPart, ModelRequest } from '../../foundation/model/index.ts'
import { answerTo } from './answer.ts'

export function openOffline(): ClosableModel {
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    signal.throwIfAborted()
    const { text, calls } = answerTo(request)
    for (const piece of piecesOf(text)) {
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

const PIECE = /(?:\s*\S+){1,6}\s*|\s+/gu

const piecesOf = (text: string): string[] => text.match(PIECE) ?? []
