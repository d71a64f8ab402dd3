import { MOST_MESSAGES } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'
import { isObject, type Json, type JsonObject, member } from '../../kernel/json/index.ts'

const FORM = 'Send one JSON-RPC 2.0 message, or a batch: {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}.'

/** The messages of a body. What is wrong with one of them is the protocol's to say; here it only has to be one. */
export function messagesIn(body: unknown): readonly JsonObject[] {
  if (!Array.isArray(body)) return [messageIn(body)]
  if (body.length === 0) throw refuse('invalid_request', `The batch is empty. ${FORM}`)
  if (body.length > MOST_MESSAGES) {
    const message = `The batch has ${body.length} messages, and ${MOST_MESSAGES} is the most. Send them in several requests.`
    throw refuse('batch_too_large', message)
  }
  const messages = body.map(messageIn)
  refuseSameIds(messages)
  return messages
}

function messageIn(value: unknown): JsonObject {
  if (!isObject(value) || member(value, 'jsonrpc') !== '2.0' || !isMessage(value))
    throw refuse('invalid_request', `The body is not JSON-RPC. ${FORM}`)
  return value
}

const isMessage = (message: JsonObject): boolean =>
  typeof member(message, 'method') === 'string' || ['result', 'error'].some((name) => Object.hasOwn(message, name))

/** Two answers under one id could not be told apart, and one call would be answered with the other's result. */
function refuseSameIds(messages: readonly JsonObject[]): void {
  const ids = messages.map((message) => member(message, 'id')).filter((id) => id !== undefined)
  const texts = ids.map((id: Json) => JSON.stringify(id))
  if (new Set(texts).size === texts.length) return
  throw refuse('invalid_request', 'Two messages of the batch have the same id. Give each an id of its own.')
}
