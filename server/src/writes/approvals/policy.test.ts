import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { isObject, parseJson, stringifyJson } from '../../kernel/json/index.ts'
import { type Policy, type PolicyRule, readValue, ruleFor, type Write } from './index.ts'
import { checkPolicy, readStored, storedText } from './policy-document.ts'

const write: Write = { tool: 'refund_order', domain: 'orders', risk: 'elevated', value: null }
/** As the arguments `{"amount": …}` of a tool with `value_from: "amount"` say it. */
function worth(text: string): Write {
  const args = parseJson(`{"amount":${text}}`)
  return { ...write, value: readValue('amount', isObject(args) ? args : {}) }
}
const unreadable: Write = { ...write, value: 'unreadable' }

function policyOf(text: string): Policy {
  const checked = checkPolicy(parseJson(text))
  assert.ok(checked.ok, checked.ok ? '' : checked.error)
  return checked.policy
}
const decides = (rule: string, asked: Write): boolean => ruleFor(policyOf(`{"rules":[${rule}]}`), asked) !== undefined

test('an optional member that is null is absent', () => {
  const nothing = 'null,"domains":null,"risk":null,"minValue":null,"approvers":null'
  const nulled = policyOf(
    `{"rules":[{"roles":["a"],"tools":${nothing}}],"requesterMayApprove":null,"remindAtHalf":null}`,
  )
  assert.deepEqual(nulled, policyOf('{"rules":[{"roles":["a"]}]}'))
  assert.deepEqual(readStored(storedText(nulled)), nulled)
  for (const required of ['{"rules":null}', '{"rules":[{"roles":null}]}'])
    assert.equal(checkPolicy(parseJson(required)).ok, false, required)
})

const matching: readonly [rule: string, asked: Write, expected: boolean][] = [
  ['{"roles":["a"]}', write, true],
  ['{"roles":["a"],"tools":["refund_order","cancel_order"]}', write, true],
  ['{"roles":["a"],"tools":["cancel_order"]}', write, false],
  ['{"roles":["a"],"domains":["orders"]}', write, true],
  ['{"roles":["a"],"domains":["Orders"]}', write, false],
  ['{"roles":["a"],"risk":["elevated","high"]}', write, true],
  ['{"roles":["a"],"risk":["low"]}', write, false],
  ['{"roles":["a"],"tools":["refund_order"],"risk":["low"]}', write, false],
  ['{"roles":["a"],"minValue":500}', worth('499.99'), false],
  ['{"roles":["a"],"minValue":500}', worth('500'), true],
  ['{"roles":["a"],"minValue":500}', worth('5e2'), true],
  ['{"roles":["a"],"minValue":500}', worth('5e-2'), false],
  ['{"roles":["a"],"minValue":500}', worth('-800'), true],
  ['{"roles":["a"],"minValue":500}', worth('-80'), false],
  ['{"roles":["a"],"minValue":500}', worth('"80"'), true],
  ['{"roles":["a"],"minValue":500}', worth('null'), true],
  ['{"roles":["a"],"minValue":500}', worth('[80]'), true],
  ['{"roles":["a"],"minValue":9007199254740993}', worth('-9007199254740993'), true],
  ['{"roles":["a"],"minValue":0}', worth('0'), true],
  // Doubles take these two for one number.
  ['{"roles":["a"],"minValue":9007199254740993}', worth('9007199254740992'), false],
  ['{"roles":["a"],"minValue":9007199254740993}', worth('9007199254740993'), true],
  ['{"roles":["a"],"minValue":500}', unreadable, true],
  ['{"roles":["a"],"minValue":500,"tools":["cancel_order"]}', unreadable, false],
  ['{"roles":["a"],"minValue":500}', write, false],
  ['{"roles":["a"],"minValue":500,"domains":["orders"]}', write, false],
  ['{"roles":["a"],"minValue":500,"tools":["refund_order"]}', write, true],
]
for (const [rule, asked, expected] of matching) {
  test(`${rule} ${expected ? 'decides' : 'does not decide'} ${JSON.stringify(asked.value)}`, () => {
    assert.equal(decides(rule, asked), expected)
  })
}

test('a value is read where the tool says, and nowhere else', () => {
  assert.equal(readValue(null, { amount: 5 }), null)
  assert.equal(readValue('amount', { total: 5 }), 'unreadable')
  assert.equal(readValue('constructor', {}), 'unreadable')
  assert.equal(readValue('amount', { amount: 5 }), 5)
})

test('the first rule that matches decides, also where a later one asks for more', () => {
  const policy = policyOf('{"rules":[{"roles":["a"],"risk":["high"]},{"roles":["b"]},{"roles":["c"],"approvers":5}]}')
  assert.deepEqual(ruleFor(policy, write)?.roles, ['b'])
  assert.deepEqual(ruleFor(policy, { ...write, risk: 'high' })?.roles, ['a'])
})

test('a policy that says nothing more than its rules has the switches at their presets', () => {
  assert.deepEqual(policyOf('{"rules":[],"version":7,"note":"passed over"}'), {
    rules: [],
    requesterMayApprove: true,
    customerSelfConfirm: false,
    remindAtHalf: false,
  })
})

const refused: readonly [body: string, says: RegExp][] = [
  ['[]', /A policy is an object/],
  ['null', /A policy is an object/],
  ['{}', /rules must be a list of rules, not nothing/],
  ['{"rules":{}}', /rules must be a list of rules, not an object/],
  ['{"rules":[5]}', /rules\[0\] must be an object, not 5/],
  ['{"rules":[{}]}', /rules\[0\]\.roles must be a list of 1 to/],
  ['{"rules":[{"roles":[]}]}', /rules\[0\]\.roles must be .* not an empty list/],
  ['{"rules":[{"roles":["a",""]}]}', /rules\[0\]\.roles\[1\] is ""/],
  ['{"rules":[{"roles":[" a"]}]}', /roles\[0\]/],
  ['{"rules":[{"roles":"manager"}]}', /roles must be a list/],
  ['{"rules":[{"roles":["a"],"tools":[]}]}', /tools must be .*Leave it out to match any/],
  ['{"rules":[{"roles":["a"],"tools":5}]}', /tools must be .* not 5/],
  ['{"rules":[{"roles":["a"],"tools":["refund_*"]}]}', /tools\[0\] is "refund_\*"/],
  ['{"rules":[{"roles":["a"],"domains":[7]}]}', /domains\[0\] is 7/],
  ['{"rules":[{"roles":["a"],"risk":["severe"]}]}', /risk\[0\] is "severe".*low, elevated, high/],
  ['{"rules":[{"roles":["a"],"minValue":-1}]}', /minValue must be a number of 0 or more, not -1/],
  ['{"rules":[{"roles":["a"],"minValue":"500"}]}', /minValue .* not "500"/],
  ['{"rules":[{"roles":["a"],"approvers":0}]}', /approvers must be an integer from 1 to 5, not 0/],
  ['{"rules":[{"roles":["a"],"approvers":6}]}', /not 6/],
  ['{"rules":[{"roles":["a"],"approvers":1.5}]}', /not 1\.5/],
  ['{"rules":[{"roles":["a"],"approvers":"1"}]}', /not "1"/],
  ['{"rules":[{"roles":["a"],"tool":null}]}', /which a rule cannot have/],
  ['{"rules":[{"roles":["a"],"tool":["x"]}]}', /rules\[0\] has "tool", which a rule cannot have/],
  ['{"rules":[{"roles":["a"],"__proto__":{}}]}', /which a rule cannot have/],
  ['{"rules":[],"requesterMayApprove":"no"}', /requesterMayApprove must be true or false, not "no"/],
  ['{"rules":[],"requester_may_approve":false}', /write it as requesterMayApprove/],
  ['{"rules":[],"customerselfconfirm":true}', /write it as customerSelfConfirm/],
  [`{"rules":[${Array.from({ length: 101 }, () => '{"roles":["a"]}').join()}]}`, /101 rules; 100 is the most/],
  [`{"rules":[{"roles":[${Array.from({ length: 201 }, () => '"a"').join()}]}]}`, /a list of 201/],
]
for (const [body, says] of refused) {
  test(`refused: ${body.slice(0, 80)}`, () => {
    const checked = checkPolicy(parseJson(body))
    assert.ok(!checked.ok)
    assert.match(checked.error, says)
  })
}

test('everything that is wrong is told at once, and the message stays readable', () => {
  const few = checkPolicy(parseJson('{"rules":[{"roles":[]},{"roles":["a"],"approvers":9}],"remindAtHalf":1}'))
  assert.ok(!few.ok)
  for (const part of [/rules\[0\]\.roles/, /rules\[1\]\.approvers/, /remindAtHalf/]) assert.match(few.error, part)
  const many = checkPolicy({ rules: Array.from({ length: 100 }, () => ({ ['x'.repeat(10_000)]: 1, roles: [] })) })
  assert.ok(!many.ok)
  assert.match(many.error, /And 190 more\./)
  assert.ok(many.error.length < 4_000, String(many.error.length))
})

const name = fc.constantFrom(
  'rules',
  'roles',
  'tools',
  'domains',
  'risk',
  'minValue',
  'approvers',
  'requesterMayApprove',
)
const near = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'policy' },
    fc.constantFrom(null, true, 0, 1, 5, -1, 1.5, 'low', 'refund_order', 'manager', '', ' '),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 6 }),
  ),
}))

test('whatever JSON is sent is answered, and what is accepted comes back from storage as it was', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        near.value,
        fc.record({
          rules: fc.array(fc.record({ roles: fc.constant(['manager']), approvers: fc.integer({ min: 0, max: 6 }) })),
        }),
      ),
      (value) => {
        const checked = checkPolicy(value)
        if (!checked.ok) {
          assert.ok(checked.error.length > 10)
          return
        }
        const text = storedText(checked.policy)
        assert.equal(storedText(readStored(text)), text)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('any accepted policy has roles and 1 to 5 approvers in every rule', () => {
  const good = fc.record<PolicyRule>(
    {
      tools: fc.constant(['refund_order']),
      minValue: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
      roles: fc.constant(['manager']),
      approvers: fc.integer({ min: 1, max: 5 }),
    },
    { requiredKeys: ['roles'] },
  )
  fc.assert(
    fc.property(fc.array(good, { maxLength: 5 }), (rules) => {
      const checked = checkPolicy({ rules })
      assert.ok(checked.ok)
      assert.deepEqual(checked.policy.rules, rules)
    }),
  )
})

test('a stored policy that cannot be read is not "no policy"', () => {
  assert.equal(readStored('null'), null)
  for (const text of ['{}', '{"rules":[{"roles":[]}]}', '5', '[]', '', 'nul'])
    assert.throws(() => readStored(text), text)
})

test('exact numbers survive storage', () => {
  const text = '{"rules":[{"roles":["a"],"minValue":9007199254740993.000001}]}'
  assert.match(storedText(policyOf(text)), /9007199254740993\.000001/)
  assert.match(stringifyJson(parseJson(storedText(policyOf(text)))), /9007199254740993\.000001/)
})
