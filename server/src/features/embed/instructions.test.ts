import assert from 'node:assert/strict'
import test from 'node:test'
import { instructionsLetter } from './instructions.ts'
import { writeSnippet } from './snippet.ts'

const BUILDERS = ['HTML', 'WordPress', 'Wix', 'Tilda', 'Webflow', 'Shopify']
const endpoint = 'https://assistant.example'

for (const language of ['en', 'ka'] as const) {
  test(`${language}: the mail has the snippet as it is, six builders, addresses, the policy, and no secret`, () => {
    const snippet = writeSnippet({
      scriptUrl: `${endpoint}/widget/service-assistant.js`,
      endpoint,
      key: `tpk_${'1'.repeat(48)}`,
      language,
      greeting: 'a "quoted" <greeting>',
    })
    const facts = {
      name: 'Corner Shop',
      snippet,
      endpoint,
      origins: ['https://shop.example'],
      held: ['https://held.example'],
    }
    const letter = instructionsLetter(language, facts)
    assert.equal(letter.code, snippet)
    assert.deepEqual(
      letter.facts.map(([name]) => BUILDERS.find((builder) => name.includes(builder))),
      BUILDERS,
    )
    assert.ok(letter.facts.some(([, place]) => place.includes('Custom HTML')))
    const words = JSON.stringify({ ...letter, code: '' })
    for (const said of [
      endpoint,
      'script-src',
      'connect-src',
      'https://shop.example',
      'https://held.example',
      'Corner Shop',
    ])
      assert.ok(words.includes(said), said)
    assert.doesNotMatch(JSON.stringify(letter), /t(th|ag|ck|pv|ib)_[0-9a-f]{8}|whsec_/)
    const bare = JSON.stringify(instructionsLetter(language, { ...facts, name: null, origins: [], held: [] }))
    assert.doesNotMatch(bare, /null|undefined|held\.example/)
  })
}
