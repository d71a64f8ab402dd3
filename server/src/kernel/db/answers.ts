import type { Queries } from './database.ts'
import { statement } from './statement.ts'

const ping = statement<{ one: number }>('db.answers', 'select 1 as one')

/** True if the database answers now. */
export const answers = async (db: Queries): Promise<boolean> =>
  db.one(ping).then(
    () => true,
    () => false,
  )
