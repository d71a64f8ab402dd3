import type { Queries } from './database.ts'
import { statement } from './statement.ts'

const ask = statement<{ one: number }>('db.answers', 'select 1 as one')

/** Whether the database answers now. */
export const answers = async (db: Queries): Promise<boolean> =>
  db.one(ask).then(
    () => true,
    () => false,
  )
