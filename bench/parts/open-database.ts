// What a start is held against: a process that does no more than open the same embedded database and ask it one thing.
import { openDatabase, unlisted } from '../../server/src/kernel/db/index.ts'

const one = unlisted<{ one: number }>('bench.one', 'select 1 as one')

const [directory = ''] = process.argv.slice(2)
const database = await openDatabase({
  at: { directory },
  statementTimeoutMs: 30_000,
  warn: (message) => process.stderr.write(`${message}\n`),
})
await database.one(one)
process.stdout.write('ready\n')
// Kept open like the service, which is stopped by the same signal.
const open = setInterval(() => undefined, 60_000)
process.on('SIGTERM', () => {
  clearInterval(open)
  void database.close()
})
