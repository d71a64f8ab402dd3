/** Rings after every statement by which a write begins to wait for a person. */
export const NOTICES_BELL = 'notices'
/** Why other rooms write `notices_due`, by `noticed`. */
export const NOTICE = 'a notice is written with the change that makes a write wait'

/**
 * Tells those who may decide the writes of `from`, as a part of the statement by which they wait: by mail where this deployment
 * sends any (`$tellsPeople`), and in the channels of the workspace. features/notices works off the row.
 */
export const noticed = (from: string, occasion = '0'): string =>
  `insert into notices_due (tenant_id, action_id, occasion) select tenant_id, action_id, ${occasion} from ${from}
      where ($tellsPeople::boolean or exists (select 1 from notice_channels c where c.tenant_id = $tenantId::int))`
