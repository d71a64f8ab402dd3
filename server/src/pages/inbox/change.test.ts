// Changing a write on its card, by somebody who knows the business and no JSON.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { JsonObject } from '../../kernel/json/index.ts'
import { type Browser, card, look, set, shop, signedIn, stage } from './fixtures/visitor.ts'

const BOOK = {
  name: 'book_table',
  description: 'Books a table for a party.',
  is_write: true,
  parameters: {
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 20 },
      guests: { type: 'integer', minimum: 1, maximum: 12 },
      deposit: { type: 'number' },
      outside: { type: 'boolean' },
      area: { type: 'string', enum: ['hall', 'terrace'] },
      dishes: { type: 'array', items: { type: 'string' } },
      hours: { type: 'array', items: { type: 'number' } },
      contact: { type: 'object' },
    },
  },
  labels: { ka: { parameters: { deposit: 'ბე', guests: 'სტუმრები' } } },
}
const GIVEN = {
  name: 'Nino',
  guests: 4,
  deposit: 40.5,
  outside: true,
  area: 'hall',
  dishes: ['khinkali', 'pkhali'],
  hours: [18, 20.5],
  contact: { phone: '599' },
}
const AS_TYPED = {
  'argument.name': 'Nino',
  'argument.guests': '4',
  'argument.deposit': '40.5',
  'argument.outside': 'true',
  'argument.area': 'hall',
  'argument.dishes': 'khinkali\r\npkhali',
  'argument.hours': '18\r\n20.5',
  'argument.contact': '{"phone":"599"}',
}

async function booking(language = 'en') {
  const { tenant, key, email } = await shop()
  await set.house.ask('PUT', '/v1/tools', { key, body: [BOOK] })
  const actionId = await stage(tenant, 'book_table', GIVEN)
  const browser = await signedIn(email)
  await browser.get(`${card(actionId)}?lang=${language}`)
  const amend = async (typed: Record<string, string>) =>
    await browser.post(card(actionId), { decision: 'amend', ...AS_TYPED, ...typed })
  return { tenant, actionId, browser, amend }
}

/** What a reader of the page sees, without its markup. */
const shown = ({ page }: Browser): string => page.text.replace(/<[^>]+>/g, ' ')

test('what was typed stays in the form, and each field that cannot be read says so in the reader’s language', async () => {
  const { tenant, actionId, browser, amend } = await booking('ka')
  const { text } = await amend({
    'argument.deposit': 'ასი',
    'argument.guests': '4.5',
    'argument.name': 'ნინო <b>',
    'argument.hours': '18\r\nრვა',
    'argument.contact': '{phone}',
    reason: 'სთხოვეს',
  })
  assert.match(text, /<details class="change" open>/)
  for (const kept of [
    'value="ასი" ',
    'value="4.5" ',
    'value="ნინო &lt;b&gt;"',
    '18\r\nრვა</textarea>',
    '{phone}</textarea>',
  ])
    assert.ok(text.includes(kept), kept)
  assert.match(text, /name="reason"[^>]* value="სთხოვეს"/)
  assert.equal(text.match(/aria-invalid="true"/g)?.length, 4)
  const field =
    /<input id="(argument-\d)" name="argument.deposit"[^>]* aria-invalid="true" aria-describedby="([\w-]+)">/
  const [, , described] = field.exec(text) ?? assert.fail('the field is not marked')
  assert.ok(text.includes(`<p class="fault" id="${described}">ჩაწერეთ რიცხვი ციფრებით, მაგალითად 40 ან 12.5.</p>`))
  assert.doesNotMatch(shown(browser), /JSON|Nothing|number/)
  assert.equal((await look(tenant, actionId)).status, 'pending')
  // Corrected in the same form, it is proposed.
  await amend({ 'argument.deposit': '100', 'argument.name': 'ნინო <b>' })
  const { replacedBy } = await look(tenant, actionId)
  assert.deepEqual((await look(tenant, replacedBy ?? '')).arguments, { ...GIVEN, deposit: 100, name: 'ნინო <b>' })
})

test('every kind of argument is changed in its own words, and what was not touched stays as it was', async () => {
  const { tenant, actionId, browser, amend } = await booking()
  const { text } = browser.page
  assert.match(
    text,
    /<select[^>]*name="argument.outside"[^>]*><option value="true" selected>Yes<\/option><option value="false">No</,
  )
  assert.match(text, /<select[^>]*name="argument.area"[^>]*><option value="hall" selected>/)
  assert.match(text, /name="argument.guests" value="4" autocomplete="off" inputmode="numeric"/)
  assert.match(text, /khinkali\npkhali<\/textarea>/)
  await amend({
    'argument.outside': 'false',
    'argument.area': 'terrace',
    'argument.guests': ' 007 ',
    'argument.deposit': '-12345678901234567890.25',
    'argument.dishes': 'lobio\r\n\r\n  mchadi ',
    'argument.hours': '19',
    'argument.contact': '{"phone": "577"}',
  })
  const { replacedBy } = await look(tenant, actionId)
  const { arguments: given, summary } = await look(tenant, replacedBy ?? '')
  const { deposit: _long, ...rest } = given as JsonObject
  const changed = { outside: false, area: 'terrace', guests: 7, dishes: ['lobio', 'mchadi'], hours: [19] }
  assert.deepEqual(rest, { name: 'Nino', ...changed, contact: { phone: '577' } })
  assert.match(`${summary}`, /-12345678901234567890\.25/)
})

test('what the tool does not take is said at its field, with the limit', async () => {
  const { tenant, actionId, browser, amend } = await booking()
  await amend({ 'argument.guests': '13', 'argument.name': 'x'.repeat(21), 'argument.outside': 'maybe' })
  assert.match(shown(browser), /Choose one of these\./)
  await amend({ 'argument.guests': '13', 'argument.name': 'x'.repeat(21) })
  assert.match(shown(browser), /This value is not accepted here\. It must be at least 1\. It must be at most 12\./)
  assert.match(shown(browser), /The longest allowed length is 20 characters\./)
  assert.equal(browser.page.text.match(/aria-invalid="true"/g)?.length, 2)
  await amend({})
  assert.match(shown(browser), /these are the values that were there before/)
  for (const doubtful of ['1,000', '1e3', '0x10', '', '--1', '١٢']) {
    await amend({ 'argument.deposit': doubtful })
    assert.match(shown(browser), /Type a number in digits/, doubtful)
  }
  assert.equal((await look(tenant, actionId)).status, 'pending')
})
