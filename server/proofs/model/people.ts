// Whom an approval counts for, while people come and go and a userId passes from one to the next: on the service, and on a reference
// that knows people only by who they are.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Driven, Staged } from './drive.ts'
import { type Tally, tallySaid } from './tally.ts'
import type { Said, Who } from './words.ts'

type UserId = 1 | 2 | 3
/** `link` gives the userId to a person who had none. */
type Change = { readonly do: 'remove' | 'register' | 'link'; readonly userId: UserId }
type Step =
  | Change
  /** `during` happens once enough people have approved, and before the claim. */
  | { readonly do: 'confirm'; readonly who: UserId | 'token'; readonly during: Change | null }
export type Comings = { readonly boundTo: UserId; readonly steps: readonly Step[] }

const userId = fc.constantFrom<UserId>(1, 1, 2, 3)
const change: fc.Arbitrary<Change> = fc.record({ do: fc.constantFrom('remove', 'remove', 'register', 'link'), userId })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: change },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('confirm' as const),
      who: fc.oneof({ weight: 4, arbitrary: userId }, { weight: 1, arbitrary: fc.constant('token' as const) }),
      during: fc.option(change, { nil: null, freq: 3 }),
    }),
  },
)
export const comings: fc.Arbitrary<Comings> = fc.record({
  boundTo: fc.constantFrom<UserId>(1, 2),
  steps: fc.array(step, { minLength: 2, maxLength: 10, size: 'max' }),
})

type Person = { readonly id: number; userId: number | null }
type Listed = { readonly users: readonly Person[] }

const REQUIRED = 2
const FLAVOUR = { tool: 'plain', approvers: REQUIRED } as const
const EXECUTED: Said = ['Executed', null]
const UNKNOWN: Said = ['ApproverUnknown', 'approver_unknown']
const CHANGED: Said = ['Conflict', 'CONFLICT']
const missing = (received: number): Said => ['AwaitingApprovers', 'awaiting_approvers', received]

/** An approval never counts for a person who did not give it. Any difference is thrown. */
export async function playComings(driven: Driven, { boundTo, steps }: Comings, tally: Tally): Promise<void> {
  Object.assign(driven.shop, { weathers: [], readsFail: false })
  const office = await openOffice(driven)
  const staged = await driven.stage(FLAVOUR, boundTo)
  const bound = office.people.find((person) => person.userId === boundTo)
  const given = new Set<Person>()
  const verdictFor = (person: Person): Said | null => {
    if (!office.people.includes(person)) return UNKNOWN
    const received = [...given].filter((one) => office.people.includes(one)).length
    return received < REQUIRED ? missing(received) : null
  }
  for (const one of steps) {
    if (one.do !== 'confirm') {
      await office.change(one)
      continue
    }
    const person = one.who === 'token' ? bound : office.people.find((each) => each.userId === one.who)
    const known = person !== undefined && office.people.includes(person)
    if (known) given.add(person)
    const expected = known ? verdictFor(person) : UNKNOWN
    const said = await confirm(driven, staged, one.who, async () => {
      assert.equal(expected, null, 'nothing is claimed before enough people have approved')
      return one.during !== null && (await office.change(one.during))
    })
    const overtaken = said.changed && person !== undefined ? (verdictFor(person) ?? CHANGED) : EXECUTED
    assert.deepEqual(said.said, expected ?? overtaken)
    tallySaid(tally, said.said)
    if (said.said[0] === 'Executed') break
  }
  assert.deepEqual(
    await office.approversOf(staged),
    [...given].map(({ id }) => id),
    'the trail names who approved',
  )
  driven.shop.close(staged.number)
}

/** Confirms, and says whether anything changed just before the claim. */
async function confirm(driven: Driven, staged: Staged, who: Who, before: () => Promise<boolean>) {
  const begun = await driven.confirm(staged, { who, acknowledges: true, key: null }, 'before_claim')
  if ('said' in begun) return { said: begun.said, changed: false }
  const changed = await before()
  const ended = await begun.goOn(null)
  assert.ok('said' in ended)
  return { said: ended.said, changed }
}

/** The people of the workspace where two must approve: three with a userId and one without, all new. */
async function openOffice({ ask, tenants }: Driven) {
  const { key } = tenants[REQUIRED] ?? assert.fail()
  const listed = async () => ((await ask('GET', '/v1/users', key)) as unknown as Listed).users
  const put = (...users: object[]) => ask('PUT', '/v1/users', key, { users })
  const named = (one: UserId) => ({ userId: one, displayName: `Person ${one}`, role: 'manager' })
  for (const { id } of await listed()) await ask('DELETE', `/v1/users/${id}`, key)
  await put(named(1), named(2), named(3), { displayName: 'Guest', email: 'guest@shop.example', role: 'manager' })
  const people: Person[] = [...(await listed())]
  const holder = (wanted: number | null) => people.find((person) => person.userId === wanted)
  return {
    people: people as readonly Person[],
    /** False where there was nothing to change. */
    async change(asked: Change): Promise<boolean> {
      const [known, guest] = [holder(asked.userId), holder(null)]
      if (asked.do === 'remove') {
        if (known === undefined) return false
        await ask('DELETE', `/v1/users/${known.id}`, key)
        people.splice(people.indexOf(known), 1)
        return true
      }
      if (known !== undefined || (asked.do === 'link' && guest === undefined)) return false
      if (asked.do === 'link' && guest !== undefined) {
        await put({ id: guest.id, userId: asked.userId })
        guest.userId = asked.userId
        return true
      }
      await put(named(asked.userId))
      people.push(...(await listed()).filter(({ id }) => !people.some((person) => person.id === id)))
      return true
    },
    async approversOf({ actionId }: Staged): Promise<readonly number[]> {
      const { events } = await ask('GET', `/v1/audit?decision=approved&actionId=${actionId}`, key)
      return (events as { personId: number }[]).map(({ personId }) => personId)
    },
  }
}
