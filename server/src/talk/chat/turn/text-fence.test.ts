import assert from 'node:assert/strict'
import test from 'node:test'
import { playedModel } from '../../../../testkit/played-model.ts'
import { play, rigged } from '../fixtures/parts.ts'

test('a text block of a model is shown and streamed as its words are, without its fence', async () => {
  const said = ['Hello.\n```block:text\n', '{"markdown":"**Open** today."}\n```\nSee you.']
  const { frames, ending } = await play(rigged({ model: playedModel([said.join('')]) }))
  assert.deepEqual(ending.answer.blocks, [{ type: 'text', markdown: 'Hello.\n\n\n**Open** today.\n\nSee you.' }])
  const streamed = frames.flatMap((frame) => (frame.type === 'delta' ? [frame.text] : []))
  assert.equal(streamed.join('').trim(), 'Hello.\n\n\n**Open** today.\n\nSee you.')
  assert.ok(frames.every(({ type }) => type !== 'block'))
})
