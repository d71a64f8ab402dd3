// The rules for Prometheus in `deploy/`: each asks for figures that there are, and each figure that the page says to alert on has its rule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsed, read } from './deployment.ts'
import { findFiles } from './files.ts'

type Rule = {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly action: string }
}
const { groups } = parsed<{ readonly groups: readonly { readonly rules: readonly Rule[] }[] }>('alerts.yaml')
const rules = groups.flatMap((group) => group.rules)
const figuresIn = (text: string): string[] => text.match(/\b(?:tether|nodejs)_[a-z0-9_]+/g) ?? []

const OF_THE_PACKAGE = new Set(['nodejs_eventloop_lag_p99_seconds'])
const sources = findFiles('server/src/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => read(`../${file}`))
  .join('\n')

test('each rule asks for figures that the service has, and says what happened and what to do', () => {
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  for (const { alert, expr, labels, annotations } of rules) {
    for (const figure of figuresIn(expr)) {
      const name = figure.replace(/_count$/, '')
      assert.ok(OF_THE_PACKAGE.has(name) || sources.includes(`'${name}'`), `${alert}: ${name}`)
    }
    assert.match(labels.severity, /^(page|ticket)$/, alert)
    for (const said of [annotations.summary, annotations.action]) assert.match(said, /^[A-Z].*\.$/s, alert)
  }
})

test('the page of operations and the rules are about the same figures', () => {
  const page = read('../docs/operations.md')
  const table = page.slice(page.indexOf('| figure | alert when |'), page.indexOf('The overdue figures cover'))
  const told = new Set(figuresIn(table))
  assert.ok(told.size >= 12, [...told].join(' '))
  assert.deepEqual([...new Set(rules.flatMap(({ expr }) => figuresIn(expr)))].toSorted(), [...told].toSorted())
})
