import assert from 'node:assert/strict'
import test from 'node:test'
import { openHouse } from '../../../testkit/house.ts'

const DAY = 86_400_000

test('a conversation of two days is one of a period, and of a period whose turns may be forgotten, one of each day', async () => {
  await using house = await openHouse({ settings: { 'AI:Usage:TurnDays': '400' } })
  const { tenantId, apiKey: key } = await house.tenant()
  await house.database.database.script(
    `insert into turn_records (tenant_id, record_id, at, request_id, session_id, surface, source, client, plan, kind, result_path, rounds,
                               tool_calls, proposals, handed_off, answered, preview, input_tokens, output_tokens, model, duration_ms)
     select ${tenantId}, gen_random_uuid(), date_trunc('day', now()) - make_interval(days => ago), 'r', 'ses_' || ago / 100, 'widget', 's', 'c',
            'free', 'turn', 'ok', 1, 0, 0, false, true, false, 1, 1, 'm', 1
       from unnest('{11, 10, 511, 510}'::int[]) as ago`,
  )
  const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10)
  const conversations = async (from: number, to: number) => {
    const path = `/v1/outcomes?from=${day(from)}&to=${day(to)}`
    return (await house.ask<{ totals: { conversations: number } }>('GET', path, { key })).body.totals.conversations
  }
  assert.equal(await conversations(20, 5), 1)
  assert.equal(await conversations(520, 505), 2)
})
