// The reasons on a card, in the words of its reader: of the service’s own English sentences a Georgian sees none.
import assert from 'node:assert/strict'
import test from 'node:test'
import { type Browser, CATALOG, card, look, set, shop, signedIn, stage } from './fixtures/visitor.ts'

/** What stands on the card itself: what is folded away, and the request as it is, left out. */
const bare = ({ page }: Browser): string =>
  (/<article id="card"[\s\S]*<\/article>/.exec(page.text)?.[0] ?? '')
    .replace(/<details(?! class="change")[\s\S]*?<\/details>/g, ' ')
    .replace(/<[^>]+>/g, ' ')

const LABELS = { ka: { title: 'თანხის დაბრუნება', parameters: { number: 'შეკვეთა' } } }
const IN_GEORGIAN = CATALOG.map((tool) => (tool.name === 'refund_order' ? { ...tool, labels: LABELS } : tool))
const ENGLISH = /[A-Za-z]{3,}/g
const NAMES = ['Ana', 'Beridze', 'UTC', 'paid', 'API']
const english = (text: string) => (text.match(ENGLISH) ?? []).filter((word) => !NAMES.includes(word))

test('why somebody may not approve is said in their language, to whoever asked for it too', async () => {
  const { tenant, key, email } = await shop()
  await set.house.ask('PUT', '/v1/tools', { key, body: IN_GEORGIAN })
  const rules = [{ roles: ['manager'], approvers: 1 }]
  await set.house.ask('PUT', '/v1/policy', { key, body: { rules, requesterMayApprove: false } })
  const ana = await signedIn(email)
  const first = await stage(tenant)
  await ana.get(`${card(first)}?lang=ka`)
  await ana.post(card(first), {
    decision: 'amend',
    'argument.number': 'A-2',
    'argument.amount': '70',
    reason: 'სთხოვეს',
  })
  assert.match(bare(ana), /ეს თქვენ მოითხოვეთ, ამიტომ სხვამ უნდა დაამტკიცოს\./)
  assert.deepEqual(english(bare(ana)), [])
  // The one that was changed says so in Georgian, with the reason as it was typed.
  await ana.get(card(first))
  assert.match(bare(ana), /შეიცვალა: სთხოვეს/)
  assert.deepEqual(english(bare(ana)), [])
  const second = (await look(tenant, first)).replacedBy ?? ''
  await ana.get(`${card(second)}?lang=en`)
  assert.match(bare(ana), /You asked for it, so somebody else must approve it\./)
  // In a role that no rule names.
  await set.house.ask('PUT', '/v1/policy', { key, body: { rules: [{ roles: ['owner'] }] } })
  await ana.get(`${card(second)}?lang=ka`)
  assert.match(bare(ana), /თქვენს როლს ამის უფლება არ აქვს\./)
})

test('what the record lacks, and why a write did not run, is said in the reader’s language', async () => {
  const { tenant, key, email } = await shop()
  const from = { tool: 'get_order', arguments: { number: { from: 'number' } } }
  const checked = (check: object) =>
    IN_GEORGIAN.map((tool) => (tool.name === 'refund_order' ? { ...tool, precondition: { ...from, check } } : tool))
  await set.house.ask('PUT', '/v1/tools', { key, body: checked({ path: 'amount', gte: { from: 'amount' } }) })
  const ana = await signedIn(email)
  const actionId = await stage(tenant)
  set.amount = 5
  try {
    await ana.get(`${card(actionId)}?lang=ka`)
    assert.match(bare(ana), /„თანხა“ არის 5, უნდა იყოს მინიმუმ 88\./)
    assert.deepEqual(english(bare(ana)), [])
    await ana.get(`${card(actionId)}?lang=en`)
    assert.match(bare(ana), /“amount” is 5; it must be at least 88\./)
    await ana.post(card(actionId), { decision: 'confirm' })
    await ana.get(`${card(actionId)}?lang=ka`)
    assert.match(bare(ana), /არ შესრულდა: ჩანაწერი შეიცვალა/)
    assert.deepEqual(english(bare(ana)), [])
    assert.match(ana.page.text, /<summary>ტექნიკური დეტალი<\/summary><p lang="en">/)
  } finally {
    set.amount = 90
  }
  const cases = [
    [
      { path: 'state', equals: 'paid' },
      { path: 'state', in: ['open', 'new'] },
      /„მდგომარეობა“ არის paid, უნდა იყოს open, new\./,
    ],
    [{ path: 'state', equals: 'paid' }, { path: 'lines.0', equals: 1 }, /ჩანაწერში „lines.0“ არ არის\./],
    [{ path: 'amount', gt: 1 }, { path: 'amount', lt: 90 }, /„თანხა“ არის 90, უნდა იყოს 90-ზე ნაკლები\./],
    [{ path: 'amount', gt: 1 }, { path: 'state', gt: 1 }, /„მდგომარეობა“ არის paid, უნდა იყოს 1-ზე მეტი\./],
  ] as const
  for (const [before, after, says] of cases) {
    await set.house.ask('PUT', '/v1/tools', { key, body: checked(before) })
    const one = await stage(tenant)
    await set.house.ask('PUT', '/v1/tools', { key, body: checked(after) })
    await ana.get(card(one))
    assert.match(bare(ana), says)
  }
})
