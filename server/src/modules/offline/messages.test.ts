// Sends ordinary messages to businesses of several trades through the whole service, as visitors of their pages do, and counts the
// wrong answers. One half of the set was written before its author had read the responder.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ChatAnswer } from '@tether/contract'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { type Business, openBusiness } from '../../../testkit/pretend-business.ts'
import { CATALOGS } from './fixtures/catalogs.ts'
import { type Conversation, conversationsIn } from './fixtures/messages.ts'
import { foreignWords, type Judged, judge, outcomeOf, tableOf, tally } from './fixtures/verdict.ts'
import { offline } from './module.ts'

const ORIGIN = 'https://page.example.com'

let house: OpenHouse
let business: Business
const keys = new Map<string, string>()

before(async () => {
  business = await openBusiness()
  house = await openHouse({ modules: [offline] })
  for (const [name, { tools, answers }] of Object.entries(CATALOGS)) {
    const { tenantId, apiKey: key } = await house.tenant()
    await house.ask('PATCH', `/v1/tenants/${tenantId}`, { key: house.operatorKey, body: { plan: 'Growth' } })
    await house.ask('PUT', '/v1/endpoint', { key, body: { url: business.url } })
    const registered = await house.ask('PUT', '/v1/tools', { key, body: tools })
    assert.equal(registered.status, 200, registered.text)
    await house.database.database.script(`update tenants set origins = '{${ORIGIN}}' where tenant_id = ${tenantId}`)
    keys.set(name, await house.key(tenantId, 'publishable'))
    for (const [tool, body] of Object.entries(answers)) business.script(tool, { do: 'answer', body })
  }
})
after(async () => {
  await house.close()
  await business.close()
})

/** Each visitor has an address of their own. */
async function hold({ catalog, turns }: Conversation, visitor: number): Promise<Judged[]> {
  const judged: Judged[] = []
  const tools = CATALOGS[catalog]?.tools ?? []
  let sessionId: string | undefined
  for (const turn of turns) {
    const calls = business.calls.length
    const { status, body, text } = await house.ask<ChatAnswer>('POST', '/v1/chat', {
      key: keys.get(catalog) ?? '',
      headers: { origin: ORIGIN },
      from: `10.1.${visitor >> 8}.${visitor & 255}`,
      body: { prompt: turn.said, ...(sessionId === undefined ? {} : { sessionId }) },
    })
    assert.equal(status, 200, text)
    sessionId = body.sessionId ?? undefined
    const outcome = outcomeOf(body, business.calls.slice(calls), tools)
    const foreign = foreignWords(body, {
      said: turn.said,
      language: turn.language,
      tools,
      calls: business.calls.slice(calls),
      answers: CATALOGS[catalog]?.answers ?? {},
    })
    judged.push({ catalog, turn, outcome, verdict: judge(turn.right, outcome), foreign })
  }
  return judged
}

async function holdAll(file: string): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const [visitor, conversation] of conversationsIn(file).entries())
    judged.push(...(await hold(conversation, visitor)))
  return judged
}

const told = (judged: readonly Judged[]): string =>
  judged
    .filter(({ verdict, foreign }) => verdict !== 'right' || foreign.length > 0)
    .map(
      ({ catalog, turn, outcome, verdict, foreign }) =>
        `${verdict}: ${catalog}: ${turn.said} → ${outcome.text} (right: ${turn.right.join(' / ')}) ${foreign.join(' ')}`,
    )
    .join('\n')

/** The bounds in docs/models.md. */
function isWithin(judged: readonly Judged[]): void {
  const counts = tally(judged)
  assert.equal(counts.unasked, 0, told(judged))
  assert.equal(counts.misleading, 0, told(judged))
  assert.equal(counts.foreign, 0, told(judged))
  assert.ok(counts.irrelevant <= 0.05 * counts.all, told(judged))
  assert.ok(counts.missed <= 0.1 * counts.all, told(judged))
}

test('two hundred ordinary messages: no write unasked, nothing misleading, little beside the point', async (t) => {
  const [blind, more] = [await holdAll('blind'), await holdAll('more')]
  const all = [...blind, ...more]
  const of = (name: string) => all.filter(({ catalog }) => catalog === name)
  for (const row of tableOf({
    blind,
    known: more,
    library: of('library'),
    telecom: of('telecom'),
    clinic: of('clinic'),
    all,
  }))
    t.diagnostic(row)
  assert.ok(all.length >= 200, `${all.length} messages`)
  isWithin(all)
})

test('messages to a business that the responder was not made with', async (t) => {
  const all = await holdAll('held-out')
  for (const row of tableOf({ 'held out': all })) t.diagnostic(row)
  isWithin(all)
})

test('what only stands in a question is not taken for the value of an argument', async (t) => {
  const all = await holdAll('values')
  for (const row of tableOf({ values: all })) t.diagnostic(row)
  isWithin(all)
})

test('messages of a stranger to businesses that the responder had not met: tried first, then mended', async (t) => {
  const all = await holdAll('walked')
  for (const row of tableOf({ walked: all })) t.diagnostic(row)
  isWithin(all)
})
