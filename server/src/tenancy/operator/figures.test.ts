import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'

async function figuresOf(house: OpenHouse): Promise<Record<string, number>> {
  const { status, text } = await house.ask('GET', '/v1/operator/metrics', { key: house.operatorKey })
  assert.equal(status, 200)
  const lines = [...text.matchAll(/^(tether_[a-z_]+) (\S+)$/gm)]
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, Number(value)]))
}

async function opened(t: TestContext): Promise<OpenHouse> {
  const house = await openHouse({ settings: { 'Mail:Transport': 'console' } })
  t.after(() => house.close())
  return house
}

const LATE = `now() - interval '100 seconds'`
const late = [
  statement<object>(
    'figures_test.events',
    `insert into outbox (tenant_id, event_id, event, lane, due_at)
     values (1, 'e1', 'x', 'a', ${LATE}), (1, 'e2', 'x', 'a', now() - interval '1 day'), (1, 'e3', 'x', null, now() + interval '1 day')`,
  ),
  statement<object>(
    'figures_test.mails',
    `insert into mails (tenant_id, mail_id, kind, language, recipient_hash, state, due_at)
     values (1, 'm1', 'k', 'en', 'h', 'queued', ${LATE}), (1, 'm2', 'k', 'en', 'h', 'failed', ${LATE})`,
  ),
]
const stage = statement<object>('figures_test.action', `update actions set expires_at = ${LATE}`)

test('the figures say what is late, by nobody’s fault but ours', async (t) => {
  const house = await opened(t)
  const calm = await figuresOf(house)
  for (const name of ['events_overdue_seconds', 'mails_overdue_seconds', 'actions_overdue_seconds', 'mails_failed'])
    assert.equal(calm[`tether_${name}`], 0, name)
  assert.equal(calm.tether_database_up, 1)
  const { apiKey } = await house.tenant()
  await house.ask('PUT', '/v1/tools', {
    key: apiKey,
    body: [{ name: 'pay_back', description: 'Pays.', is_write: true }],
  })
  await house.ask('POST', '/v1/actions', { key: apiKey, body: { tool: 'pay_back', arguments: {} } })
  for (const one of [...late, stage]) await house.database.database.run(one)
  const figures = await figuresOf(house)
  for (const name of ['events', 'mails', 'actions']) {
    const seconds = figures[`tether_${name}_overdue_seconds`] ?? 0
    // What stands behind another of its lane, and what is due tomorrow, is late by nobody's fault.
    assert.ok(seconds >= 99 && seconds < 200, `${name}: ${seconds}`)
  }
  assert.equal(figures.tether_mails_failed, 1)
  assert.ok((figures.tether_events_waiting ?? 0) >= 3)
})

test('while the database is away there are figures all the same', async (t) => {
  const house = await opened(t)
  await house.database.database.close()
  const figures = await figuresOf(house)
  assert.equal(figures.tether_database_up, 0)
  assert.ok(Number.isNaN(figures.tether_events_overdue_seconds))
  assert.equal(figures.tether_events_in_hand, 0)
})
