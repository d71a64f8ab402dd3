// What people type, and where it should lead them: among the first three places that are found.
import assert from 'node:assert/strict'
import test from 'node:test'
import { openSite } from './site.ts'

const { search } = openSite()

const ASKED: readonly (readonly [string, string])[] = [
  ['how do I get an API key', '/docs/reference/errors#missing_api_key'],
  ['verify signature', '/docs/sdk#check-a-signature-yourself'],
  ['X-Service-Signature', '/docs/receiving-calls#X-Service-Signature'],
  ['exactly once', '/docs/receiving-calls#a-write-once'],
  ['two approvers', '/docs/guides/clinic#6-two-people-agree'],
  ['rate limits', '/docs/reference/errors#rate_limited'],
  ['CORS', '/docs/reference/errors#origin_not_allowed'],
  ['origin not allowed', '/docs/reference/errors#origin_not_allowed'],
  ['GDPR', '/docs/guides/clinic#8-what-is-kept-and-what-goes'],
  ['retention', '/docs/reference/settings-assistant#AI:Memory:RetentionDays'],
  ['kubernetes', '/docs/deploy#on-kubernetes'],
  ['ollama', '/docs/models#openai-compatible'],
  ['upgrade', '/docs/operations#upgrading'],
  ['backups', '/docs/operations#backup-and-restore'],
  ['resend an event', '/docs/events'],
  ['human handoff', '/docs/handoff'],
  ['signing in', '/docs/inbox#signing-in'],
  ['test my endpoint', '/docs/receiving-calls#test-it'],
  ['python', '/docs/receiving-calls#in-another-language'],
  ['refund', '/docs/guides/shop#7-a-refund'],
  ['what is not guaranteed?', '/docs/guarantees#what-is-not-guaranteed'],
  ['connect Claude', '/docs/guides/agent#3-connect'],
  ['pricing', '/docs/reference/settings-assistant#AI:Prices'],
]

test('a word that every object inherits is searched like any other', async () => {
  for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    const { found } = await search(word)
    assert.ok(Array.isArray(found), word)
  }
})

test('what people type leads to where it is said', async () => {
  for (const [asked, wanted] of ASKED) {
    const { found } = await search(asked)
    const first = found.slice(0, 3).map(({ address }) => address)
    assert.ok(first.includes(wanted), `"${asked}" leads to ${first.join(' and ')}`)
  }
})

test('where no place has all of the words, those come that lack one; and nothing for words that are nowhere', async () => {
  const partial = await search('rotate the signing secret zyxwv')
  assert.deepEqual([partial.isWhole, partial.found.length > 0], [false, true])
  assert.deepEqual(await search('refund zyxwv'), { found: [], isWhole: true })
  assert.deepEqual(await search('   '), { found: [], isWhole: true })
})
