import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { PLANS } from '@tether/contract'
import { testSettings } from '../../../testkit/house.ts'
import { isFree, planTerms } from './index.ts'

const PAGE = path.join(import.meta.dirname, '../../../../docs/sign-up.md')

test('the page of plans says what each allows unless a deployment sets something else', () => {
  const section = readFileSync(PAGE, 'utf8')
    .split('\n## ')
    .find((one) => one.startsWith('Plans\n'))
  const said = (section ?? '').split('\n').flatMap((line) => {
    const [names = '', , ...terms] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    return [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, ...terms])
  })
  const settings = testSettings({})
  const allowed = PLANS.map((plan) => {
    const { rounds, deep, maxOutputTokens, dailyCapUsd, monthlyCapUsd } = planTerms(settings, plan)
    assert.deepEqual([dailyCapUsd, monthlyCapUsd], [0, 0], 'no ceiling')
    const turns = isFree(plan) ? settings.rateLimit.freePlanRequestsPerDay : 'any number'
    return [plan, rounds, deep ? 'yes' : 'no', maxOutputTokens, turns].map(String)
  })
  const byName = (rows: (string | undefined)[][]) => rows.toSorted(([a = ''], [b = '']) => a.localeCompare(b))
  assert.deepEqual(byName(said), byName(allowed))
})
