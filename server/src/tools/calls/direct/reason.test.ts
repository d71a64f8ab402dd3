import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { reasonOf, reasonText } from './reason.ts'

const said = (body: unknown, status = 409): string =>
  reasonText(status, reasonOf(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))))

// Shapes of answers as documents declare them, each with what a person should read.
const SHAPES: readonly [who: string, body: unknown, reason: string][] = [
  [
    'an error object with code and message',
    { error: { code: 'sold_out', message: 'It is sold out.' } },
    '409 sold_out: It is sold out.',
  ],
  [
    'an error object with code and detail',
    { error: { code: 17, detail: 'It is sold out.' } },
    '409 17: It is sold out.',
  ],
  [
    'an error object with a status in words',
    { error: { code: 409, message: 'Taken.', status: 'ALREADY_EXISTS' } },
    '409: Taken.',
  ],
  ['an error text with a message', { error: 'sold_out', message: 'It is sold out.' }, '409 sold_out: It is sold out.'],
  ['an error text alone', { error: 'It is sold out.' }, '409: It is sold out.'],
  [
    'problem details',
    { type: 'about:blank', title: 'Conflict', status: 409, detail: 'It has shipped.' },
    '409: Conflict: It has shipped.',
  ],
  ['problem details with a title alone', { title: 'It has shipped', status: 409 }, '409: It has shipped'],
  [
    'problem details with a code of their own',
    { title: 'Conflict', detail: 'It has shipped.', code: 'SHIPPED' },
    '409 SHIPPED: Conflict: It has shipped.',
  ],
  [
    'the first of a list of errors',
    {
      errors: [
        { code: 'a', message: 'First.' },
        { code: 'b', message: 'Second.' },
      ],
    },
    '409 a: First.',
  ],
  ['a list of texts', { errors: ['First.', 'Second.'] }, '409: First.'],
  ['code and message', { code: 'SHIPPED', message: 'It has shipped.' }, '409 SHIPPED: It has shipped.'],
  ['plain text', 'It has shipped.', '409: It has shipped.'],
  ['a JSON text', '"It has shipped."', '409: It has shipped.'],
  [
    'message alone (GitHub)',
    { message: 'Not Found', documentation_url: 'https://docs.example', status: '409' },
    '409: Not Found',
  ],
  [
    'message and errors (GitHub)',
    { message: 'Validation Failed', errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }] },
    '409 missing_field: Validation Failed',
  ],
  ['a list of texts at the top', ['First.'], '409: First.'],
  [
    'reason and field (Linode)',
    { errors: [{ reason: 'Label must be unique.', field: 'label' }] },
    '409: Label must be unique.',
  ],
  ['errorMessages (Jira)', { errorMessages: ['The issue is closed.'], errors: {} }, '409: The issue is closed.'],
  ['errors by field (Jira)', { errorMessages: [], errors: { summary: 'is required' } }, '409: summary: is required'],
  [
    'error_code (ShipEngine)',
    { errors: [{ error_code: 'void_expired', message: 'Too late.' }] },
    '409 void_expired: Too late.',
  ],
  [
    'name, message, details (PayPal)',
    {
      name: 'UNPROCESSABLE_ENTITY',
      message: 'It could not be done.',
      details: [{ issue: 'ORDER_CAPTURED', description: 'Already captured.' }],
    },
    '409 UNPROCESSABLE_ENTITY: It could not be done: Already captured.',
  ],
  [
    'nested elements (Xero)',
    {
      Type: 'ValidationException',
      Message: 'A validation exception occurred',
      Elements: [{ ValidationErrors: [{ Message: 'Email must be valid.' }] }],
    },
    '409 ValidationException: A validation exception occurred: Email must be valid.',
  ],
  ['Message (ASP.NET)', { Message: 'Denied.' }, '409: Denied.'],
  ['ok and error (Slack)', { ok: false, error: 'channel_not_found' }, '409: channel_not_found'],
  [
    'ok and description (Telegram)',
    { ok: false, error_code: 400, description: 'Bad Request: chat not found' },
    '409 400: Bad Request: chat not found',
  ],
  ['fault_message', { fault_message: 'No.' }, '409: No.'],
  ['code and description (GOV.UK)', { code: 'P0330', description: 'Creation failed.' }, '409 P0330: Creation failed.'],
  [
    'OAuth',
    { error: 'invalid_grant', error_description: 'The grant is spent.' },
    '409 invalid_grant: The grant is spent.',
  ],
  [
    'a list at the top (BigCommerce)',
    [{ status: 409, message: 'The product name is a duplicate.' }],
    '409: The product name is a duplicate.',
  ],
  ['details with a message', { details: { message: 'Too many.' } }, '409: Too many.'],
  [
    'Stripe',
    {
      error: { code: 'resource_missing', type: 'invalid_request_error', message: "No such customer: 'x'", param: 'id' },
    },
    "409 resource_missing: No such customer: 'x'",
  ],
  ['JSend', { status: 'fail', data: {}, message: 'No.' }, '409: No.'],
  ['a page', '<!doctype html><title>409</title>', '409'],
  ['XML', '<?xml version="1.0"?><Error/>', '409'],
  ['nothing', '', '409'],
  ['an object that says nothing', {}, '409'],
  ['null', null, '409'],
]

test('the reason is read from every shape in which APIs write their errors', () => {
  for (const [who, body, reason] of SHAPES) assert.equal(said(body), reason, who)
})

test('a code that only repeats the status is not said twice', () => {
  assert.equal(said({ code: 409, message: 'No.' }), '409: No.')
  assert.equal(said({ code: '409', message: 'No.' }), '409: No.')
})

test('words are one line that a screen shows and a database stores, and not too many', () => {
  assert.equal(said({ message: ' a\n\u0000 b\t\u2028c \ud800' }), '409: a b c \ufffd')
  const long = said({ message: 'x'.repeat(10_000) })
  assert.ok(long.length < 520 && long.endsWith('…'))
  assert.equal(said({ error: { code: 'x'.repeat(500), message: 'No.' } }), '409: No.')
})

test('characters that no screen shows stand in a reason by their codes', () => {
  for (const body of [{ message: 'a\u202eb\u200bc' }, { title: 'a\u202eb\u200bc' }, 'a\u202eb\u200bc'])
    assert.equal(said(body), '409: a[U+202E]b[U+200B]c')
  assert.equal(said({ errors: { 'n\u2066': ['x'] } }), '409: n[U+2066]: x')
})

test('whatever an API answers, its reason is a line', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
      const text = said(body)
      assert.match(text, /^409/)
      assert.ok(!/[\p{Cc}]/u.test(text) && text.isWellFormed() && text.length < 700)
    }),
  )
})
