// Text from outside with characters that nobody sees: every producer of text for people shows them by their code.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import fc from 'fast-check'
import { type OpenHouse, openHouse } from '../testkit/house.ts'
import { errorAnswer } from './kernel/http/failure.ts'
import { refuse } from './kernel/http/index.ts'
import { listed, shown, shownWhole } from './kernel/json/index.ts'
import { onOneLine, withSignsTold } from './kernel/text/index.ts'
import { MODULES } from './modules.ts'
import { proposalFor } from './talk/proposals/index.ts'
import { letterHtml, letterText, namedInMail, subjectOf } from './tenancy/mail/index.ts'
import { validateCatalog } from './tools/catalog/index.ts'
import { isOneLine, labelsOf, titleIn } from './tools/labels/index.ts'
import { auditCsv } from './writes/audit/index.ts'
import { summaryOf, titleOf } from './writes/writes/index.ts'

/** Direction marks, zero-width characters, fillers, tags, annotations, invisible operators, controls. */
const SIGNS = [
  ...'\u200f\u200e\u061c\u200b\u200c\u200d\u00ad\u2060\u2061\u2062\u2063\u2064\u206a\u206f\u3164\u115f\u1160\uffa0',
  ...'\u034f\u17b4\u17b5\u180b\u180e\u2800\ufeff\ufff9\ufffa\ufffb\ufe00\ufe0e\u202a\u202e\u2066\u2069\u0001\u001b\u007f\u009b',
  ...[
    '\u{e0001}',
    '\u{e0041}',
    '\u{e007f}',
    '\u{e0100}',
    '\u{1d159}',
    '\u{1d173}',
    '\u{16fe4}',
    '\u{1bca0}',
    '\u{13430}',
  ],
]
const HIDDEN = new RegExp(`[${SIGNS.join('')}]`, 'u')

const outside = fc
  .array(fc.oneof(fc.constantFrom(...SIGNS), fc.constantFrom('a', 'B', '7', 'ა', ' ', '-', ',')), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(''))
  .filter((text) => /[\p{L}\d]/u.test(text))

const toolWith = (more: object = {}) => {
  const checked = validateCatalog([
    { name: 'refund_order', description: 'Pays an order back.', is_write: true, ...more },
  ])
  return checked.ok ? (checked.tools[0] ?? assert.fail('no tool')) : assert.fail(checked.error)
}
const staged = (given: Record<string, string>) => ({
  ...({ kind: 'staged', tool: toolWith(), arguments: given, actionId: 'a', token: 't', summary: '' } as const),
  expiresAt: new Date(0),
})
const letter = (text: string) => ({
  ...({ subject: text, heading: text, paragraphs: [text], facts: [[text, text]], small: [text] } as const),
  button: { label: text, url: 'https://tether.example' },
  links: [{ label: text, url: 'https://tether.example' }],
})
const event = (text: string) =>
  ({
    ...{ id: 1, occurredAt: new Date(0), actionId: 'a', tool: 't', event: 'rejected', userId: 0, source: 's' },
    ...{ payloadHash: 'h', subject: text, reason: text },
  }) as unknown as Parameters<typeof auditCsv>[0][number]
const described = (text: string) => ({ description: `${text}თანხა`, parameters: {} })

/** Each makes text for people of a text from outside. */
const PRODUCERS: Readonly<Record<string, (text: string) => string>> = {
  'a summary, by a value': (text) => summaryOf(toolWith(), { number: text }),
  'a summary, by a name': (text) => summaryOf(toolWith(), { [text]: 'x' }),
  'a summary, by a nested name': (text) => summaryOf(toolWith(), { given: { [text]: text } }),
  'a title from a description': (text) => titleOf({ ...toolWith(), ...described(text) }, 'ka'),
  'a title that was stored': (text) => titleIn({ ...described('x'), title: text }, 'en') ?? '',
  'a label from a description': (text) =>
    [...labelsOf({ parameters: { properties: { a: described(text) } } }, ['a'], 'ka').values()].join(),
  'labels that read alike': (text) =>
    [
      ...labelsOf(
        { labels: { en: { parameters: { [text]: 'A', b: 'A' } } }, parameters: {} },
        [text, 'b'],
        'en',
      ).values(),
    ].join(),
  'a proposal': (text) => {
    const { title, summary, labels, shown: values } = proposalFor(staged({ [text]: text }), 'en', false)
    return `${title} ${summary} ${labels?.[text] ?? text} ${values?.[text] ?? text}`
  },
  'the text of a mail': (text) => letterText(letter(text)),
  'the page of a mail': (text) => letterHtml(letter(text), 'en'),
  'the subject of a mail': (text) => subjectOf(letter(text)),
  'a name in a mail': (text) => namedInMail(text) ?? '',
  'a line of CSV': (text) => auditCsv([event(text)]).replaceAll('\r\n', ''),
  'a value in a message': (text) => shown(text) + shownWhole({ [text]: text }) + listed([text]),
  'an error': (text) =>
    JSON.stringify(
      errorAnswer(refuse('invalid_request', text), { requestId: '', onFailure() {}, refusalOf: () => undefined }),
    ),
  'a line for a terminal': onOneLine,
}

for (const [name, produce] of Object.entries(PRODUCERS)) {
  test(`shows what is not seen by its code: ${name}`, () => {
    for (const sign of SIGNS)
      assert.doesNotMatch(produce(`A${sign}b`), HIDDEN, `U+${sign.codePointAt(0)?.toString(16)}`)
    fc.assert(
      fc.property(outside, (text) => assert.doesNotMatch(produce(text), HIDDEN)),
      { numRuns: 200 },
    )
  })
}

test('keeps joiners where they change what is drawn: in emoji, Persian and the scripts of India', () => {
  for (const text of [
    '👩‍👩‍👧 👩🏽‍🔧 ❤️ 1️⃣ 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 🇬🇪',
    'می\u200cخواهم',
    'क्\u200dष क्\u200cष',
    'ශ්\u200dරී',
  ])
    assert.equal(withSignsTold(text), text)
})

test('shows joiners that change nothing that is drawn', () => {
  for (const [text, told] of [
    ['a\u200db', 'a[U+200D]b'],
    ['👩\u200d', '👩[U+200D]'],
    ['👩\u200d\u200d👧', '👩[U+200D ×2]👧'],
    ['❤\ufe0f\ufe0f', '❤\ufe0f[U+FE0F]'],
    ['1\ufe0f', '1[U+FE0F]'],
    ['دا\u200cر', 'دا[U+200C]ر'],
    ['🏴\u{e0061}\u{e007f}', '🏴[U+E0061][U+E007F]'],
    ['क\u200d', 'क[U+200D]'],
  ] as const)
    assert.equal(withSignsTold(text), told)
})

test('is done once: text in which signs are told stays as it is', () => {
  fc.assert(fc.property(outside, (text) => assert.equal(withSignsTold(withSignsTold(text)), withSignsTold(text))))
})

test('a label or title that would hide a sign is not one', () => {
  for (const sign of SIGNS) assert.equal(isOneLine(`A${sign}b`), false, `U+${sign.codePointAt(0)?.toString(16)}`)
  assert.equal(isOneLine('Family 👩‍👩‍👧'), true)
})

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: MODULES })
})
after(() => house.close())

test('names that a request brings are shown with their signs: a tool that is not there, and the role of a person', async () => {
  const { apiKey: key } = await house.tenant()
  const tool = { name: 'refund_order', description: 'Pays an order back.', is_write: true }
  assert.equal((await house.ask('PUT', '/v1/tools', { key, body: [tool] })).status, 200)
  const named = 'a\u202eb\u200bc'
  const shown = /"a\[U\+202E\]b\[U\+200B\]c"/
  const unknown = await house.ask('POST', '/v1/actions', { key, body: { tool: named, arguments: {} } })
  assert.match(String(unknown.body.message), shown)

  const person = { userId: 7, displayName: 'Ana', role: named }
  assert.equal((await house.ask('PUT', '/v1/users', { key, body: [person] })).status, 200)
  const policy = { rules: [{ roles: ['manager', `${named}d`] }] }
  const warned = await house.ask<{ warnings: { message: string }[] }>('PUT', '/v1/policy', { key, body: policy })
  assert.match(warned.body.warnings[1]?.message ?? '', /"a\[U\+202E\]b\[U\+200B\]cd"/)
  const staged = await house.ask('POST', '/v1/actions', { key, body: { tool: tool.name, arguments: {} } })
  const confirmed = await house.ask('POST', `/v1/actions/${staged.body.actionId}/confirm`, {
    key,
    headers: { 'x-service-user-id': '7' },
    body: {},
  })
  assert.match(String(confirmed.body.errorMessage), shown)
})

test('the summary of a staged write shows its signs over the interface, and its arguments stay exact', async () => {
  const { apiKey: key } = await house.tenant()
  const tool = { name: 'refund_order', description: 'Pays an order back.', is_write: true }
  assert.equal((await house.ask('PUT', '/v1/tools', { key, body: [tool] })).status, 200)
  const given = Object.fromEntries(SIGNS.filter((sign) => sign > ' ').map((sign, at) => [`n${at}${sign}`, `x${sign}y`]))
  const answer = await house.ask('POST', '/v1/actions', { key, body: { tool: 'refund_order', arguments: given } })
  assert.equal(answer.status, 200, answer.text)
  assert.doesNotMatch(String(answer.body.summary), HIDDEN)
  const { body } = await house.ask<{ actions: { summary: string; arguments: unknown }[] }>('GET', '/v1/actions', {
    key,
  })
  assert.doesNotMatch(body.actions[0]?.summary ?? assert.fail('no action'), HIDDEN)
  assert.match(body.actions[0]?.summary ?? '', /"n0\[U\+200F\]": x\[U\+200F\]y/)
  assert.deepEqual(body.actions[0]?.arguments, given)
})
