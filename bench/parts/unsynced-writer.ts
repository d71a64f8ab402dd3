// What the embedded engine would be without our files: PGlite as it comes. It writes what the writer of the server's own
// test writes, and says so the same way; the power-cut bench must see it lose rows, or it proves nothing.
import { PGlite } from '@electric-sql/pglite'

const [directory = '', checkpointEvery = '0'] = process.argv.slice(2)
const engine = await PGlite.create(directory)
await engine.exec(`
  create table if not exists rows_of_writer (id bigint primary key, body text);
  create table if not exists notes_of_writer (id bigint primary key)`)
process.stdout.write('open\n')
for (let id = 1; ; id++) {
  await engine.query(
    `with made as (insert into rows_of_writer (id, body) values ($1::bigint, $2::text) returning id)
    insert into notes_of_writer (id) select id from made`,
    [id, 'x'.repeat(id % 700)],
  )
  process.stdout.write(`${id}\n`)
  if (Number(checkpointEvery) > 0 && id % Number(checkpointEvery) === 0) await engine.exec('checkpoint')
}
