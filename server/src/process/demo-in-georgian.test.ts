import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openHouse } from '../../testkit/house.ts'
import { demoRoutes } from '../api/demo/index.ts'
import { MODULES } from '../modules.ts'
import { type OpenDemo, openDemo } from './demo.ts'

const PORT = 8787
const directory = mkdtempSync(path.join(tmpdir(), 'tether-demo-'))
after(() => rmSync(directory, { recursive: true }))

type Shown = { type: string; markdown?: string; title?: string; label?: string; columns?: { label: string }[] }

test('what the demo answers in Georgian is labelled in Georgian', async () => {
  await using house = await openHouse({
    modules: MODULES,
    settings: { 'Database:DataDirectory': directory },
    moreRoutes: demoRoutes(() => demo),
  })
  const demo: OpenDemo = await openDemo(house.app, PORT)
  const own = { host: `localhost:${PORT}`, 'sec-fetch-site': 'same-origin' }
  const token = (await house.ask('GET', '/demo/customer-token', { headers: own })).text
  const headers = { origin: `http://localhost:${PORT}`, 'x-service-customer-token': token }
  for (const prompt of [
    'სად არის შეკვეთა A-17?',
    'ჩემი შეკვეთები',
    'რა თიხის გაკვეთილებია?',
    'რა იყიდება?',
    'საქონელი cup-blue',
    'მიწოდება: ქალაქი თბილისი',
    'დაბრუნების წესები მაჩვენე',
  ]) {
    const { body, text } = await house.ask<{ meta: { toolCalls: { status: string }[] }; blocks: Shown[] }>(
      'POST',
      '/v1/chat',
      {
        key: demo.widgetKey,
        headers,
        body: { prompt },
      },
    )
    assert.deepEqual(
      body.meta.toolCalls.map(({ status }) => status),
      ['ok'],
      `${prompt}: ${text}`,
    )
    const labels = body.blocks.flatMap(({ markdown = '', title = '', label = '', columns = [] }) => [
      ...[...markdown.matchAll(/\*\*(.+?)\*\*/g)].map(([, one = '']) => one),
      title,
      label,
      ...columns.map((one) => one.label),
    ])
    assert.ok(
      labels.some((one) => one !== ''),
      `${prompt}: ${text}`,
    )
    assert.deepEqual(
      labels.filter((one) => /[a-z]/i.test(one)),
      [],
      prompt,
    )
  }
})
