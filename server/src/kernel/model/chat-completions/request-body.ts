import type { Message, ModelCall, ModelRequest, OfferedTool } from '../port.ts'
import { readsAsObject } from '../whole-calls.ts'

/** The body of `POST /chat/completions`. It says `max_tokens` because every compatible server knows that name. */
export function requestBody({ model, messages, tools, maxOutputTokens }: ModelRequest): string {
  return JSON.stringify({
    model,
    messages: messages.map(messageOf),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    max_tokens: maxOutputTokens,
    stream: true,
    stream_options: { include_usage: true },
  })
}

const toolOf = ({ name, description, parameters }: OfferedTool): object => ({
  type: 'function',
  function: { name, description, parameters },
})

function messageOf(message: Message): object {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text }
    case 'user':
      return { role: 'user', content: userContent(message) }
    case 'assistant':
      return assistantMessage(message)
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text }
  }
}

function userContent({ text, pictures = [] }: Extract<Message, { role: 'user' }>): string | object[] {
  if (pictures.length === 0) return text
  const shown = pictures.map(({ mimeType, data }) => ({
    type: 'image_url',
    image_url: { url: `data:${mimeType};base64,${Buffer.from(data).toString('base64')}` },
  }))
  return [{ type: 'text', text }, ...shown]
}

function assistantMessage({ text, calls = [] }: Extract<Message, { role: 'assistant' }>): object {
  if (calls.length === 0) return { role: 'assistant', content: text }
  return { role: 'assistant', content: text === '' ? null : text, tool_calls: calls.map(callOf) }
}

/**
 * A provider rejects its own history if arguments are not JSON, so we send `{}`; the tool's answer says what was wrong.
 */
const callOf = (call: ModelCall): object => ({
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: readsAsObject(call.arguments) ? call.arguments : '{}' },
})
