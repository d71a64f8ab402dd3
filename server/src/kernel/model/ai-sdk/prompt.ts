// Translates our conversations into the format of the AI SDK's provider packages.
import type { LanguageModelV4, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import type { Message, ModelCall, ModelRequest } from '../port.ts'
import { readsAsObject } from '../whole-calls.ts'

type CallOptions = Parameters<LanguageModelV4['doStream']>[0]
type PromptMessage = CallOptions['prompt'][number]
type AssistantPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number]
type FunctionTool = Extract<NonNullable<CallOptions['tools']>[number], { type: 'function' }>

/**
 * What a provider sends along with a call and wants back in the next round (a signature of its reasoning). It stays in
 * this process for as long as the call does, because a turn's next round passes the same object.
 */
export type Asides = WeakMap<ModelCall, SharedV4ProviderMetadata>

export function callOptions({ messages, tools, maxOutputTokens }: ModelRequest, asides: Asides): CallOptions {
  return {
    prompt: messages.map((message) => promptMessage(message, asides)),
    maxOutputTokens,
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            name,
            description,
            inputSchema: asToolSchema(parameters),
          })),
        }),
  }
}

// The cast is true because a tool's parameters were validated as JSON Schema when it was registered.
const asToolSchema = (parameters: unknown): FunctionTool['inputSchema'] => parameters as FunctionTool['inputSchema']

function promptMessage(message: Message, asides: Asides): PromptMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text }
    case 'user':
      return {
        role: 'user',
        content: [
          { type: 'text', text: message.text },
          ...(message.pictures ?? []).map(({ mimeType, data }) => ({
            type: 'file' as const,
            mediaType: mimeType,
            data: { type: 'data' as const, data },
          })),
        ],
      }
    case 'assistant':
      return { role: 'assistant', content: assistantParts(message, asides) }
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.callId,
            toolName: message.name,
            output: { type: 'text', value: message.text },
          },
        ],
      }
  }
}

function assistantParts(
  { text, calls = [] }: Extract<Message, { role: 'assistant' }>,
  asides: Asides,
): AssistantPart[] {
  const said: AssistantPart[] = text === '' && calls.length > 0 ? [] : [{ type: 'text', text }]
  const asked = calls.map((call): AssistantPart => {
    const aside = asides.get(call)
    return {
      type: 'tool-call',
      toolCallId: call.id,
      toolName: call.name,
      input: readsAsObject(call.arguments) ? JSON.parse(call.arguments) : {},
      ...(aside === undefined ? {} : { providerOptions: aside }),
    }
  })
  return [...said, ...asked]
}
