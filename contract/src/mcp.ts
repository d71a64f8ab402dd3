import { z } from 'zod'

/** A batch of more messages is refused. */
export const MOST_MESSAGES = 50

const Message = z.looseObject({ jsonrpc: z.literal('2.0') })

export const McpMessages = z
  .union([Message, z.array(Message)])
  .meta({ id: 'McpMessages', description: 'One JSON-RPC message, or a batch of at most 50 from a client of 2025.' })

export const McpAnswer = z
  .union([Message, z.array(Message)])
  .meta({ id: 'McpAnswer', description: 'The JSON-RPC answer, or those of a batch.' })
