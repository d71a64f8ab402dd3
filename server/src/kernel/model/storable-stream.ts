import { storableJsonText } from '../json/index.ts'
import { storableText } from '../text/index.ts'
import type { Model, ModelPart, ModelRequest } from './port.ts'

/**
 * Streams one round with text that the database can store. A model may send the two halves of a surrogate pair in two
 * parts, so a first half waits for the next part.
 */
export async function* storableStream(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  let half = ''
  for await (const part of model.stream(request, signal)) {
    if (part.type === 'text') {
      const text = half + part.text
      half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
      yield { type: 'text', text: storableText(text.slice(0, text.length - half.length)) }
      continue
    }
    if (part.type === 'finish' && half !== '') yield { type: 'text', text: storableText(half) }
    if (part.type === 'call') {
      const { id, name, arguments: given } = part.call
      const call = { id: storableText(id), name: storableText(name), arguments: storableJsonText(storableText(given)) }
      yield { type: 'call', call }
    } else yield part
  }
}
