// What the page of guarantees says in figures is what the proofs measured: it has no figure of its own.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'

const read = (page: string) => readFileSync(path.join(import.meta.dirname, '../../../../docs', page), 'utf8')
const rowsIn = (text: string): readonly (readonly string[])[] =>
  text.split('\n').flatMap((line) =>
    line.startsWith('| ')
      ? [
          line
            .slice(2, -2)
            .split(' | ')
            .map((cell) => cell.trim()),
        ]
      : [],
  )

const [, figures = ''] = read('reliability.md').split('\n## Figures\n')
const measured = rowsIn(figures)
const page = read('guarantees.md')

/** The row of a run, whatever settings its name goes on with. */
const runOf = (name: string) => measured.filter(([run = '']) => run === name || run.startsWith(`${name}, `))

test('each figure of the guarantees stands in the row of the run that it names', () => {
  const promised = rowsIn(page)
    .filter((cells) => cells.length === 5)
    .slice(1)
  assert.ok(promised.length > 10, String(promised.length))
  for (const [promise, , shown = '', figure = '', run = ''] of promised) {
    const [found, ...others] = runOf(run)
    assert.ok(
      found !== undefined && others.length === 0,
      `${promise}: docs/reliability.md has ${others.length + 1} runs "${run}"`,
    )
    for (const part of figure.split('; '))
      assert.ok(found.slice(1).join(' | ').includes(part), `${promise}: "${part}" does not stand in the row of ${run}`)
    assert.match(shown, /\]\(\.\.\//, `${promise}: what shows it?`)
  }
})

test('what an asynchronous standby lost is said with the figures of its trial', () => {
  const [row = []] = runOf('failover')
    .concat(measured)
    .filter(([run = '']) => run.startsWith('failover, asynchronous'))
  const said = /of (\d+) writes acknowledged until it took over (\d+) were gone, all (\d+) had been\s+performed/.exec(
    page,
  )
  assert.ok(said !== null)
  assert.ok(row.join(' ').includes(`${said[1]} writes acknowledged until it took over`), row.join())
  assert.ok(row.join(' ').includes(`${said[2]} of them are gone, all ${said[3]} had been performed`), row.join())
})
