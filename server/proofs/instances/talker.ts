// What the model says in these proofs: so long that streams break in the middle, and so that each word is known.
import { type ModelRequest, openScriptedModel, type ScriptedModel, type Turn } from '../../testkit/scripted-model.ts'

const WORDS = 30
const WORD_MS = 40

export const countTo = (number: number): string =>
  Array.from({ length: WORDS }, (_, at) => `${number}/${at + 1} `).join('')

/** Counts slowly where it is asked to, refunds where it is asked to, and otherwise says what it was told of the shop. */
export const openTalker = (): Promise<ScriptedModel> => openScriptedModel({ otherwise })

function otherwise({ body: { messages = [] } }: ModelRequest): Turn {
  const last = messages.at(-1)
  if (last?.role === 'tool') return [{ text: 'It waits for a person.' }]
  const asked = String(last?.content ?? '')
  const counted = /^Count (\d+)$/.exec(asked)?.[1]
  if (counted !== undefined) {
    const words = countTo(Number(counted)).match(/\S+\s/g) ?? []
    return words.flatMap((text) => [{ stallMs: WORD_MS }, { text, pieces: 1 }])
  }
  const refunded = /^Refund order (\d+)$/.exec(asked)?.[1]
  if (refunded !== undefined) return [{ calls: [{ name: 'refund_order', arguments: { number: Number(refunded) } }] }]
  const told = /opens at (\w+)/.exec(String(messages[0]?.content ?? ''))?.[1]
  return [{ text: `It opens at ${told ?? 'nothing that I know of'}.` }]
}
