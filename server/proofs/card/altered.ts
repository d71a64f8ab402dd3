// Loaded before the service (`node --import`): the real start of the real service, with one thing about it changed.

import { allStatements } from '../../src/kernel/db/index.ts'
import { FAULT_POINTS, noFaults } from '../../src/writes/actions/index.ts'

/** What a service does wrong whose author forgot one thing. The card must see each of them. */
const MUTANTS: Readonly<Record<string, () => void>> = {
  /** What a dead process held is simply tried again. */
  requeue: () =>
    replace('actions.recover', /state = 'indeterminate', lease_until = null/, `state = 'pending', lease_until = null`),
  /** A write is replaced whatever has become of it meanwhile. */
  amend_anything: () => replace('actions.amend', /a\.state in \('pending'\)/, `a.state <> 'rejected'`),
  /** Nobody ever looks after what a dead process held. */
  no_lease: () => replace('actions.list_lapsed', /lease_until <= now\(\)/, 'lease_until is null'),
  /** Whoever comes last writes the outcome, whosever claim it is. */
  no_claim_token: () => {
    for (const name of ['actions.succeed', 'actions.fail', 'actions.release', 'actions.lose_contact'])
      replace(name, /a\.claim_token (?:is not distinct from|=) (\$\d+::uuid)/, '($1 is null or true)')
  },
}

const { CARD_MUTANT: mutant, CARD_CRASH: crash } = process.env
if (mutant !== undefined) {
  const change = MUTANTS[mutant]
  if (change === undefined) throw new Error(`There is no mutant "${mutant}".`)
  change()
}
if (crash !== undefined) crashAt(crash)

function replace(name: string, what: RegExp, by: string): void {
  const found = allStatements().find((one) => one.name === name)
  if (found === undefined || !what.test(found.text))
    throw new Error(`"${name}" has nothing like ${what}: mend this mutant.`)
    // A statement is fixed for everybody else.
  ;(found as { text: string }).text = found.text.replace(what, by)
}

/** `before_send:9`: nobody gets past this point, and when the ninth has come to it the process is gone, as by `kill -9`. */
function crashAt(where: string): void {
  const [name, count] = where.split(':')
  const point = FAULT_POINTS.find((one) => one === name)
  if (point === undefined) throw new Error(`There is no fault point "${name}".`)
  let left = Number(count)
  noFaults.at = async (reached) => {
    if (reached !== point) return
    left--
    if (left === 0) process.kill(process.pid, 'SIGKILL')
    await new Promise(() => {})
  }
}
