import assert from 'node:assert/strict'
import { test } from 'node:test'
import { httpRefusals } from './fixtures/http-refusals.ts'
import { memberRefusals } from './fixtures/member-refusals.ts'
import { readCheckRefusals } from './fixtures/read-check-refusals.ts'
import { read, without, write } from './fixtures/tools.ts'
import { validateCatalog } from './index.ts'

const refusals = [
  ...memberRefusals,
  ...httpRefusals,
  ...readCheckRefusals('precondition'),
  ...readCheckRefusals('verify'),
]

test('each fault is in a list as well, with its tool, its member and words about one tool', () => {
  for (const [why, catalog] of refusals) {
    const checked = validateCatalog(catalog)
    assert.ok(!checked.ok && checked.errors.length > 0, why)
    for (const { tool, member, message } of checked.errors) {
      assert.doesNotMatch(message, /\b(them at|their own|but are)\b/, why)
      assert.ok(member === null || /^[a-z_]+$/.test(member), `${why}: ${member}`)
      if (tool === null) assert.equal(checked.error, message, why)
      else assert.match(message, /^The tool (has|is|uses|requires|declares|declared) .*\. [A-Z].*\.$/s, why)
    }
  }
  const checked = validateCatalog([
    { ...read, description: ' ', risk: 'huge' },
    { ...without(write, 'name'), verify: { tool: 'nowhere' } },
    5,
  ])
  assert.ok(!checked.ok)
  assert.deepEqual(
    checked.errors.map(({ tool, member }) => [tool, member]),
    [
      ['entry 2', null],
      ['get_order', 'description'],
      ['get_order', 'risk'],
      ['entry 1', 'name'],
      ['entry 1', 'verify'],
    ],
  )
  assert.deepEqual(
    checked.errors.slice(0, 3).map(({ message }) => message),
    [
      'The tool is not a JSON object (5). A catalog is a list of tool objects.',
      'The tool has no description, so the model would call it at random. Say in a sentence or two what the tool does and when to use it.',
      'The tool declared a risk other than low, elevated or high ("huge"). Use one of these three, or leave it out for low.',
    ],
  )
})

test('the list of faults is bounded, and says how many it leaves out', () => {
  const checked = validateCatalog(
    Array.from({ length: 700 }, (_, index) => ({ ...read, name: `read_${index}`, risk: 'x' })),
  )
  assert.ok(!checked.ok)
  assert.equal(checked.errors.length, 501)
  assert.deepEqual(checked.errors.at(-1), { tool: null, member: null, message: '200 more errors are not listed.' })
})
