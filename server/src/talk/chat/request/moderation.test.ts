import assert from 'node:assert/strict'
import test from 'node:test'
import { testSettings } from '../../../../testkit/house.ts'
import { openLog } from '../../../kernel/log/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { type Classifier, openModeration } from './moderation.ts'

const lines: string[] = []
const log = openLog({ level: 'info', format: 'json', stream: { write: (line: string) => lines.push(line) } })
// A judgement looks at the plan and at what the operator laid down, and at nothing else.
const asking = (plan: string, moderation: 'default' | 'on' | 'off' = 'default'): Context =>
  ({ asking: { plan, terms: { moderation }, requestId: 'req_1', tenantId: 1 } }) as unknown as Context

const ON = { 'AI:Safety:Moderation:Enabled': 'true' }
const refuses: Classifier = { classify: async () => [{ category: 'minors', principle: 'No.' }] }
const judge = (
  classifier: Classifier,
  ctx: Context,
  settings: Record<string, string> = {},
  signal = new AbortController().signal,
) => openModeration({ settings: testSettings(settings), log }, classifier).principleAgainst(ctx, 'a prompt', signal)

test('whom the classifier is asked about: nobody until it is switched on', async () => {
  for (const [plan, moderation, asked, askedByName] of [
    ['use_tether_ai', 'default', true, false],
    ['free', 'default', true, false],
    ['bring_your_ai', 'default', false, false],
    ['bring_your_ai', 'on', true, true],
    ['use_tether_ai', 'on', true, true],
    ['use_tether_ai', 'off', false, false],
  ] as const) {
    const ctx = asking(plan, moderation)
    const isAsked = async (settings: Record<string, string>) => (await judge(refuses, ctx, settings)) === 'No.'
    const byName = { ...ON, 'AI:Safety:Moderation:DefaultForManagedPlans': 'false' }
    assert.deepEqual([await isAsked({}), await isAsked(ON), await isAsked(byName)], [false, asked, askedByName], plan)
  }
})

test('only what is prohibited here is refused', async () => {
  const other: Classifier = { classify: async () => [{ category: 'politics', principle: 'Never.' }] }
  assert.equal(await judge(other, asking('free'), ON), null)
  assert.equal(
    await judge(other, asking('free'), { ...ON, 'AI:Safety:Moderation:ProhibitedCategories': 'politics' }),
    'Never.',
  )
})

test('a classifier that fails or is late lets the prompt through, and the log says so; a reader that left does not', async () => {
  const fails: Classifier = { classify: () => Promise.reject(new Error('away')) }
  const hangs: Classifier = { classify: () => new Promise(() => {}) }
  lines.length = 0
  assert.equal(await judge(fails, asking('free'), ON), null)
  assert.equal(await judge(hangs, asking('free'), { ...ON, 'AI:Safety:Moderation:TimeoutSeconds': '0.1' }), null)
  assert.equal(lines.filter((line) => line.includes('moderation classifier failed')).length, 2)
  const gone = AbortSignal.abort(new Error('left'))
  await assert.rejects(judge(hangs, asking('free'), ON, gone), /left/)
})
