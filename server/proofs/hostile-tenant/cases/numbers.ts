// Numbers, which we keep as they were written.
import { type HostileCase, json, repeated } from '../case.ts'
import { lines, ordinaryTool } from '../ordinary.ts'
import type { Stage } from '../stage.ts'

const PAGE = 'http://localhost:3000'
/** As large as a body with a picture may be. */
const CHAT_BYTES = 6_500_000
const CATALOG_BYTES = 16_000_000
const ACTION_BYTES = 250_000

const ofPage = async (stage: Stage) => {
  const workspace = await stage.workspace([ordinaryTool(0)])
  await workspace.ask('PUT', '/v1/origins', { origins: [PAGE] })
  return (await workspace.ask<{ key: string }>('POST', '/v1/embed', {})).key
}

/** With the key that every visitor of a page holds. */
const chatted = (name: string, number: string): HostileCase => ({
  name: `${name}, from a page`,
  async prepare(stage) {
    const key = await ofPage(stage)
    const shot = { key, method: 'POST', path: '/v1/chat', headers: { origin: PAGE } } as const
    const list = repeated(`${number},`, CHAT_BYTES)
    return {
      hostile: () => ({ ...shot, body: Buffer.from(`{"prompt":"Hello","more":[${list}0]}`) }),
      harmless: () => ({ ...shot, body: json({ prompt: 'Hello', more: lines(CHAT_BYTES) }) }),
    }
  },
})

const registered = (name: string, number: string): HostileCase => ({
  name: `${name}, as a catalog`,
  async prepare(stage) {
    const { apiKey: key } = await stage.workspace()
    const shot = { key, method: 'POST', path: '/v1/tools/validate' } as const
    return {
      hostile: () => ({ ...shot, body: Buffer.from(`[${repeated(`${number},`, CATALOG_BYTES)}0]`) }),
      harmless: () => ({ ...shot, body: json(lines(CATALOG_BYTES)) }),
    }
  },
})

const staged = (name: string, number: string): HostileCase => ({
  name: `${name}, staged`,
  async prepare(stage) {
    const parameters = { type: 'object', properties: { list: {} } }
    const { apiKey: key } = await stage.workspace([
      { ...ordinaryTool(2), name: 'set_list', is_write: true, parameters },
    ])
    const shot = { key, method: 'POST', path: '/v1/actions' } as const
    const list = repeated(`${number},`, ACTION_BYTES)
    return {
      hostile: () => ({ ...shot, body: Buffer.from(`{"tool":"set_list","arguments":{"list":[${list}0]}}`) }),
      harmless: () => ({ ...shot, body: json({ tool: 'set_list', arguments: { list: lines(ACTION_BYTES) } }) }),
    }
  },
})

export const numberCases: readonly HostileCase[] = [
  chatted('numbers with an exponent', '1e1'),
  chatted('numbers that no double holds', '9007199254740993'),
  chatted('numbers of many zeros', '1.00000000000000000000'),
  chatted('numbers beyond all doubles', '1e999'),
  registered('numbers with an exponent', '1e1'),
  registered('one number that no double holds among very many', '1'.repeat(20) + repeated(',1', 1_000_000)),
  staged('numbers with a fraction', '0.1'),
  staged('numbers with an exponent', '1e-9'),
  staged('empty objects', '{}'),
]
