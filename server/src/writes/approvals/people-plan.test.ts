import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { type PeoplePlan, planPeople, type StoredPerson } from './people-plan.ts'
import { checkEntries } from './user-entries.ts'

const person = (id: number, userId: number | null, email: string | null): StoredPerson => ({
  id,
  userId,
  email,
  displayName: `P${id}`,
  role: 'manager',
  active: true,
})
// 1 and 2 share an address; 3 and 4 are known by their addresses alone; 5 by its id alone.
const stored: readonly StoredPerson[] = [
  person(1, 11, 'desk@shop.example'),
  person(2, 12, 'desk@shop.example'),
  person(3, null, 'Cira@shop.example'),
  person(4, null, 'dato@shop.example'),
  person(5, null, null),
]

function plan(list: unknown, before = stored): PeoplePlan {
  const checked = checkEntries(list)
  assert.ok(checked.ok, checked.ok ? '' : checked.error)
  return planPeople(before, checked.entries)
}
/** What is written, in short: "+" is new. */
const written = ({ added, changed }: PeoplePlan) => [
  ...changed.map(({ id, userId, email }) => `${id}: ${userId} ${email}`),
  ...added.map(({ userId, email }) => `+: ${userId} ${email}`),
]

const matched: readonly [name: string, list: unknown[], expected: string[]][] = [
  ['by id', [{ id: 5, userId: 15, email: 'e@shop.example' }], ['5: 15 e@shop.example']],
  ['by userId', [{ userId: 11, email: 'ana@shop.example' }], ['1: 11 ana@shop.example']],
  [
    'by email, whatever its case, and linked',
    [{ userId: 13, email: 'CIRA@shop.example' }],
    ['3: 13 CIRA@shop.example'],
  ],
  [
    'by email without a userId: the one without a userId',
    [{ email: 'dato@shop.example', role: 'owner' }],
    ['4: null dato@shop.example'],
  ],
  [
    'an address that only linked people have is nobody’s key',
    [{ email: 'desk@shop.example', displayName: 'New' }],
    ['+: null desk@shop.example'],
  ],
  [
    'two people may share an address',
    [
      { userId: 21, displayName: 'A', email: 'x@shop.example' },
      { userId: 22, displayName: 'B', email: 'x@shop.example' },
    ],
    ['+: 21 x@shop.example', '+: 22 x@shop.example'],
  ],
  ['an address is taken away', [{ userId: 11, email: null }], ['1: 11 null']],
  ['a userId of null takes no link away', [{ id: 1, userId: null, displayName: 'Q' }], ['1: 11 desk@shop.example']],
  ['nothing new, nothing written', [{ userId: 11, email: 'desk@shop.example' }, { id: 5 }], []],
  [
    'the address that everyone shares is kept',
    [{ userId: 12, email: 'DESK@shop.example' }],
    ['2: 12 DESK@shop.example'],
  ],
  [
    'an address that an entry before set free',
    [
      { id: 3, email: 'c2@shop.example' },
      { email: 'cira@shop.example', displayName: 'Other' },
    ],
    ['3: null c2@shop.example', '+: null cira@shop.example'],
  ],
]
for (const [name, list, expected] of matched) {
  test(`matched: ${name}`, () => {
    const made = plan(list)
    assert.deepEqual([made.faults, made.conflicts], [[], []])
    assert.deepEqual(written(made), expected)
  })
}

test('omitted members keep their value; a new person is an active member unless said', () => {
  const [changed] = plan([{ userId: 11, displayName: 'Ana' }]).changed
  assert.deepEqual(changed, { ...person(1, 11, 'desk@shop.example'), displayName: 'Ana' })
  const [off] = plan([{ id: 3, active: false }]).changed
  assert.deepEqual(off, { ...person(3, null, 'Cira@shop.example'), active: false })
  assert.deepEqual(plan([{ userId: 9, displayName: 'Nino' }]).added, [
    { userId: 9, displayName: 'Nino', email: null, role: 'member', active: true },
  ])
})

const conflicting: readonly [name: string, list: unknown[], says: RegExp][] = [
  [
    'id and userId of two',
    [{ id: 1, userId: 12 }],
    /^Entry 0 \(id 1\) points at two people: id 1 .* by its userId, id 2/,
  ],
  ['userId and email of two', [{ userId: 11, email: 'cira@shop.example' }], /two people: id 1 .* by its email, id 3/],
  ['id and email of two', [{ id: 4, email: 'cira@shop.example' }], /two people: id 4 .* by its email, id 3/],
  ['an unlinked person and a linked one', [{ id: 3, userId: 11 }], /two people: id 3 .* by its userId, id 1/],
  ['a second userId', [{ id: 1, userId: 99 }], /would give id 1 \(userId 11\) a second userId, 99/],
  [
    'a second userId, by email and then another',
    [
      { userId: 31, email: 'cira@shop.example' },
      { id: 3, userId: 32 },
    ],
    /Entry 1 .*same person as Entry 0/,
  ],
  [
    'one person twice',
    [
      { userId: 11, role: 'a' },
      { id: 1, role: 'b' },
    ],
    /Entry 1 \(id 1\) is the same person as Entry 0 \(userId 11\)/,
  ],
  [
    'one new person twice',
    [
      { userId: 50, displayName: 'A' },
      { userId: 50, displayName: 'B' },
    ],
    /Entry 1 \(userId 50\) is the same person/,
  ],
  [
    'one new address twice',
    [
      { email: 'n@shop.example', displayName: 'A' },
      { email: 'N@shop.example', displayName: 'B' },
    ],
    /Entry 1 is the same person/,
  ],
]
for (const [name, list, says] of conflicting) {
  test(`conflict: ${name}`, () => {
    const { conflicts } = plan(list)
    assert.equal(conflicts.length, 1)
    assert.match(conflicts[0] ?? '', says)
  })
}

const nobody: readonly [name: string, list: unknown[], says: RegExp][] = [
  ['an id that is nobody’s', [{ id: 77, userId: 11 }], /Entry 0 \(id 77\): there is nobody with this id/],
  ['a new person without a name', [{ userId: 40 }], /Entry 0 \(userId 40\): a new person needs a displayName/],
  ['a new person with nothing to be known by', [{ displayName: 'X' }], /needs a userId or an email/],
  ['a new person whose address is null', [{ displayName: 'X', email: null }], /needs a userId or an email/],
]
for (const [name, list, says] of nobody) {
  test(`refused: ${name}`, () => assert.match(plan(list).faults.join(), says))
}

const shapes: readonly [list: unknown, says: RegExp][] = [
  [undefined, /Send a list of people/],
  [{ users: {} }, /Send a list of people.*an object/],
  ['x', /Send a list/],
  [[null], /Entry 0 must be an object, not null/],
  [[{ userId: 0 }], /userId must be a positive integer, not 0/],
  [[{ userId: '7' }], /not "7"/],
  [[{ userId: 1.5 }], /not 1\.5/],
  [[{ id: 2 ** 53 }], /id must be a positive integer/],
  [[{ displayName: '' }], /displayName must be a text of 1 to 200/],
  [[{ displayName: 'a\nb' }], /displayName must/],
  [[{ displayName: '\ud800' }], /displayName must/],
  [[{ displayName: 5 }], /displayName must/],
  [[{ role: ' manager' }], /role must be a text of 1 to 64/],
  [[{ email: 'ana' }], /email must be an address/],
  [[{ email: '' }], /email must be an address/],
  [[{ email: `${'a'.repeat(250)}@b.example` }], /email must be an address/],
  [[{ active: 'false' }], /active must be true or false, not "false"/],
  [[{ Active: false }], /has "Active": write it as active/],
  [[{ user_id: 7 }], /write it as userId/],
  [Array.from({ length: 5_001 }, () => ({})), /5001 people; 5000 is the most/],
]
for (const [list, says] of shapes) {
  test(`shape: ${JSON.stringify(list)?.slice(0, 60)}`, () => {
    const checked = checkEntries(list)
    assert.ok(!checked.ok)
    assert.match(checked.error, says)
  })
}

test('every entry that is wrong is told, up to ten', () => {
  const checked = checkEntries(Array.from({ length: 15 }, () => ({ userId: -1 })))
  assert.ok(!checked.ok)
  assert.match(checked.error, /Entry 0 .*Entry 9 .*And 5 more\./)
})

test('whatever JSON is sent is answered', () => {
  const near = fc.array(
    fc.dictionary(
      fc.constantFrom('id', 'userId', 'displayName', 'email', 'role', 'active', 'other'),
      fc.oneof(fc.constantFrom(null, true, 1, 7, 'a', 'a@b.example'), fc.jsonValue({ maxDepth: 1 })),
    ),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), near), (value) => {
      const checked = checkEntries(value)
      if (!checked.ok) assert.ok(checked.error.length > 10)
      else planPeople(stored, checked.entries)
    }),
    { numRuns: 1_000 },
  )
})

/** What is stored after a list that nothing was wrong with. */
function after(before: readonly StoredPerson[], { added, changed }: PeoplePlan): StoredPerson[] {
  const news = new Map(changed.map((one) => [one.id, one]))
  const kept = before.map((one) => news.get(one.id) ?? one)
  return [...kept, ...added.map((one, index) => ({ ...one, id: before.length + index + 1 }))]
}

const anyEntry = fc.record(
  {
    id: fc.integer({ min: 1, max: 4 }),
    userId: fc.integer({ min: 11, max: 14 }),
    email: fc.option(fc.constantFrom('a@s.example', 'b@s.example', 'B@s.example')),
    displayName: fc.constant('N'),
  },
  { requiredKeys: ['displayName'] },
)

test('after any lists: one person per userId, one unlinked person per address, no userId ever moves, and what is listed goes back in unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyEntry, { maxLength: 3 }), { maxLength: 5 }), (lists) => {
      let people: StoredPerson[] = []
      for (const list of lists) {
        const made = plan(list, people)
        if (made.faults.length > 0 || made.conflicts.length > 0) continue
        const next = after(people, made)
        for (const { id, userId } of people) {
          if (userId !== null) assert.equal(next.find((one) => one.id === id)?.userId, userId)
        }
        people = next
      }
      const userIds = people.flatMap(({ userId }) => userId ?? [])
      assert.equal(new Set(userIds).size, userIds.length)
      const alone = people.flatMap(({ userId, email }) =>
        userId === null && email !== null ? [email.toLowerCase()] : [],
      )
      assert.equal(new Set(alone).size, alone.length)
      assert.deepEqual(plan(people, people), { added: [], changed: [], faults: [], conflicts: [] })
    }),
    { numRuns: 1_000 },
  )
})
