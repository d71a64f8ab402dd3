// Text that is put into one form before it is looked at.
import { type HostileCase, json, type Maker, repeated } from '../case.ts'
import { ordinaryTool, prose } from '../ordinary.ts'
import type { Stage } from '../stage.ts'

/** A letter that becomes a mark, and a mark of a lower class: each pair has to be put in order among all. */
const VOICED = '\uff9e\u0316'
/** One sign that stands for eighteen. */
const LIGATURE = '\ufdfa'

const noting = {
  ...ordinaryTool(2),
  name: 'write_note',
  is_write: true,
  parameters: { type: 'object', properties: { note: { type: 'string' } } },
}

/** Staged, and then confirmed: what would run is read once more by the rules of what never runs. */
async function confirmed(stage: Stage, note: string): Promise<Maker> {
  const { ask } = await stage.workspace([noting])
  return async () => {
    const staged = await ask<{ actionId: string; confirmationToken: string }>('POST', '/v1/actions', {
      tool: 'write_note',
      arguments: { note },
    })
    const path = `/v1/actions/${staged.actionId}/confirm`
    return { key: staged.confirmationToken, method: 'POST', path, body: json({ acknowledgeHighRisk: true }) }
  }
}

const confirming = (name: string, note: string): HostileCase => ({
  name,
  prepare: async (stage) => ({
    hostile: await confirmed(stage, note),
    harmless: await confirmed(stage, prose(Buffer.byteLength(note))),
  }),
})

async function chatting(stage: Stage, prompt: string, catalog: readonly object[] = [ordinaryTool(0)]): Promise<Maker> {
  const { apiKey: key } = await stage.workspace(catalog)
  return () => ({ key, method: 'POST', path: '/v1/chat', body: json({ prompt }) })
}

const LONGEST_PROMPT = 8_000
const ARGUMENTS = 250_000

export const textCases: readonly HostileCase[] = [
  confirming('an argument of letters that become marks', repeated(VOICED, ARGUMENTS)),
  confirming('an argument of marks upon marks', repeated(`a${'\u0301\u0316'.repeat(15)}`, ARGUMENTS)),
  confirming('an argument of signs that stand for eighteen', repeated(LIGATURE, ARGUMENTS)),
  confirming('an argument of words that begin what is forbidden', repeated('sexual nude photo of the ', ARGUMENTS)),
  {
    name: 'a prompt of letters that become marks',
    prepare: async (stage) => ({
      hostile: await chatting(stage, VOICED.repeat(LONGEST_PROMPT / 2)),
      harmless: await chatting(stage, prose(LONGEST_PROMPT)),
    }),
  },
  {
    name: 'a prompt about a tool whose description is letters that become marks',
    prepare: async (stage) => {
      const description = repeated(VOICED, 300_000)
      const many = (text: string) => [{ ...ordinaryTool(0), description: text }, ordinaryTool(1)]
      return {
        hostile: await chatting(stage, 'Where is my order?', many(description)),
        harmless: await chatting(stage, 'Where is my order?', many(prose(300_000))),
      }
    },
  },
]
