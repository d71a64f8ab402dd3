/** Rings after every statement by which a write begins to wait for a person. */
export const NOTICES_BELL = 'notices'
/** Why other rooms write `notices_due`, by `noticed`. */
export const NOTICE = 'a notice is written with the change that makes a write wait'

/**
 * Queues a notice about each write of `from`, in the statement that makes it wait. The job of writes/notices decides whom it
 * tells, and drops the notice if the tenant uses no channel.
 */
export const noticed = (from: string, occasion = '0'): string =>
  `insert into notices_due (tenant_id, action_id, occasion) select tenant_id, action_id, ${occasion} from ${from}`
