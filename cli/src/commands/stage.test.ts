import assert from 'node:assert/strict'
import test from 'node:test'
import type { Given } from '../command.ts'
import { openScreen } from '../screen.ts'
import { stage } from './stage.ts'

test('that nothing was staged is said once', async () => {
  let err = ''
  const stdout = { isTTY: false, write: () => true } as unknown as NodeJS.WriteStream
  const hear = (text: string) => {
    err += text
    return true
  }
  const stderr = { isTTY: false, write: hear } as unknown as NodeJS.WriteStream
  const screen = openScreen({ env: {}, stdout, stderr } as never, false)
  const refused = { status: 'precondition_error', message: 'The endpoint answered 401. Nothing was staged.' }
  const service = () => ({ stage: async () => refused })
  await stage.run({
    words: ['refund_order', 'number=A-1'],
    flags: {},
    screen,
    service,
    surroundings: { env: {} },
  } as unknown as Given)
  assert.equal(err, '✖ Nothing was staged (precondition_error). The endpoint answered 401.\n')
})
