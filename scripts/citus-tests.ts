// Tests that `npm run test:citus` leaves out, because they rely on something that tables distributed over several nodes do not have.

type Skipped = { readonly file: string; readonly test: string; readonly reason: string }

export const CITUS_SKIPPED: readonly Skipped[] = [
  {
    file: 'server/src/writes/audit/append-only.test.ts',
    test: 'of a divided trail a part that is named itself refuses as the whole does, until its tenant is gone',
    reason: 'the coordinator has no partitions: the parts are shards on the workers',
  },
  {
    file: 'server/src/writes/audit/plans.test.ts',
    test: 'a page reads no more of a long trail than it shows, also with a plan that was made for any values',
    reason: 'the coordinator plans only which node to ask, and cannot prepare the rows in replica mode',
  },
  {
    file: 'server/src/writes/audit/verify.test.ts',
    test: 'a trail is its tenant’s: as another tenant’s it does not hold',
    reason: 'the test gives a row to another tenant, and Citus refuses to change the column that distributes it',
  },
  {
    file: 'server/src/writes/actions/deciding.test.ts',
    test: 'who comes after the window is not told that it expired while somebody who came in time is still writing',
    reason: 'the test waits for a query that sleeps, and watches for it at the coordinator while a worker runs it',
  },
]

/** Options for Node's runner that leave these tests out. */
export const skipFlags = (): string[] =>
  CITUS_SKIPPED.map(({ test }) => `--test-skip-pattern=^${test.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`)

/** The skipped tests of these files, each with its reason; empty if there are none. */
export function describeSkipped(files: readonly string[]): string {
  const lines = CITUS_SKIPPED.filter(({ file }) => files.includes(file)).map(
    ({ file, test, reason }) => `  ${file} › ${test}\n    ${reason}`,
  )
  return lines.length === 0 ? '' : ['Skipped on Citus:', ...lines].join('\n')
}
