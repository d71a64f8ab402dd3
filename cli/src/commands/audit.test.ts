import assert from 'node:assert/strict'
import test from 'node:test'
import type { Given } from '../command.ts'
import { openScreen } from '../screen.ts'
import { audit } from './audit.ts'

async function verified(said: object): Promise<string> {
  let err = ''
  const stdout = { isTTY: false, write: () => true } as unknown as NodeJS.WriteStream
  const hear = (text: string) => {
    err += text
    return true
  }
  const stderr = { isTTY: false, write: hear } as unknown as NodeJS.WriteStream
  const screen = openScreen({ env: {}, stdout, stderr } as never, false)
  const service = () => ({ request: async () => ({ ok: true, lastId: 12, lastHash: 'ab', ...said }) })
  await audit.run({ words: ['verify'], flags: {}, screen, service } as unknown as Given)
  return err
}

test('a trail whose beginning is archived is not called whole', async () => {
  assert.match(await verified({ events: 12 }), /^✔ 12 events, each as it was written\./)
  const cut = await verified({
    events: 2,
    archived: { lastId: 10, lastHash: 'cd', lastAt: '2026-10-31T23:00:00.000Z' },
  })
  assert.match(cut, /^✔ 2 events after event 10, each as it was written\./)
  assert.match(cut, /Events up to 10 are archived: `npm run audit:verify`/)
})
