import { statement } from '../../kernel/db/index.ts'

export const notify = statement<unknown, { channel: string }>('jobs.notify', `select pg_notify($channel::text, '')`)
