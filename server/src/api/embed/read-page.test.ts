import assert from 'node:assert/strict'
import test from 'node:test'
import { assertTakesLess } from '../../../testkit/processor.ts'
import { readPage } from './read-page.ts'

const SCRIPT = '<script src="https://tether.example/widget/service-assistant.js" integrity="sha256-a"></script>'
const ELEMENT = '<service-assistant publishable-key="tpk_1"></service-assistant>'
const MEBIBYTE = 1024 * 1024

const pages: [what: string, html: string][] = [
  ['nothing but openings', '<b>'.repeat(MEBIBYTE / 3)],
  ['openings, each with the end of another', '<b></i>'.repeat(MEBIBYTE / 7)],
  ['openings that others close', '<p><table>'.repeat(MEBIBYTE / 10)],
  ['drawings in drawings', '<svg>'.repeat(MEBIBYTE / 5)],
  ['stairs as high as they may be', ('<b>'.repeat(200) + '</b>'.repeat(200)).repeat(MEBIBYTE / 1400)],
  ['scripts', SCRIPT.repeat(MEBIBYTE / SCRIPT.length)],
  ['elements', ELEMENT.repeat(MEBIBYTE / ELEMENT.length)],
  ['addresses', `<base href="https://shop.example/${'x'.repeat(MEBIBYTE)}/">`],
  ['half keys', 'tth_0000 whsec_'.repeat(MEBIBYTE / 15)],
]

for (const [what, html] of pages) {
  test(`a page of ${what} is read in no time`, () => {
    const facts = assertTakesLess(400, () => readPage(ELEMENT + SCRIPT + html))
    // What stood before it counts.
    assert.equal(facts.elementKeys[0], 'tpk_1')
    assert.equal(facts.scripts[0]?.integrity, 'sha256-a')
    assert.ok(facts.scripts.length <= 100 && facts.elementKeys.length <= 100)
    assert.equal(facts.base, null)
  })
}

test('a page as deep as pages are is read to its end, and a policy as long as a header may be', () => {
  const policy = `script-src ${'https://a.example '.repeat(500)}`
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`
  const nested = `${'<div>'.repeat(200)}${SCRIPT}${'</div>'.repeat(200)}`
  const siblings = '<p>a<br><img src="x"><li>b</p>'.repeat(2_000)
  const facts = readPage(`<base href="/shop/">${meta}<body>${siblings}${nested}${ELEMENT}`)
  assert.equal(facts.scripts.length, 1)
  assert.deepEqual(facts.elementKeys, ['tpk_1'])
  assert.deepEqual(facts.policies, [policy])
  assert.equal(facts.base, '/shop/')
})

test('finds the widget after more than a hundred other scripts', () => {
  const others = '<script src="https://cdn.example/library.js"></script>'.repeat(150)
  const { scripts } = readPage(others + SCRIPT)
  assert.deepEqual(
    scripts.map(({ integrity }) => integrity),
    ['sha256-a'],
  )
})
