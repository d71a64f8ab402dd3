import type { House } from '../context/index.ts'
import * as sql from './queries.ts'

/**
 * A command that is killed may leave its tenant refused, and nobody else notices: what tells the operator is a move that has been under way
 * for long.
 */
export function watchMoves({ db, metrics }: Pick<House, 'db' | 'metrics'>): void {
  metrics.gauge(
    'tether_move_unfinished_seconds',
    'How long ago the oldest move of a tenant to another database began that has not ended',
    async () => (await db.one(sql.readUnfinished))?.seconds ?? 0,
  )
}
