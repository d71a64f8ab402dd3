// What the programs of the documents need of `pg`, with the embedded database behind it, and the orders that they speak of.
import { PGlite } from '@electric-sql/pglite'

const database = new PGlite()
await database.exec(`create table orders (number text primary key, state text not null);
insert into orders values ('A-1001', 'paid')`)

class Pool {
  // Without values it takes several statements at a time, as the real one does.
  query = async (text, values) =>
    values === undefined ? ((await database.exec(text)).at(-1) ?? { rows: [] }) : await database.query(text, values)
  async connect() {
    return { query: this.query, release() {} }
  }
}

export default { Pool }
