import { statement } from '../../foundation/db/index.ts'

/** Also of one that is leaving for another database: that it is here counts only where no other has it yet. */
export const livesHere = statement<{ leaving: boolean }, { tenantId: number }>(
  'shards.lives_here',
  `select moving is not distinct from 'leaving' as leaving from tenants where tenant_id = $tenantId::int and deleted_at is null`,
)

/** For keys that were issued before they said whose they are. */
export const ownerOfKey = statement<{ tenantId: number }, { hash: Buffer }>(
  'shards.owner_of_key',
  'select tenant_id as "tenantId" from keys where hash = $hash::bytea limit 1',
)

/** Two are enough to know that a prefix is ambiguous. */
export const ownersOfPrefix = statement<{ tenantId: number }, { prefix: string }>(
  'shards.owners_of_prefix',
  'select distinct tenant_id as "tenantId" from keys where prefix = $prefix::text limit 2',
)

export type Place = { readonly deployment: string; readonly name: string }

/** `names` are those of all databases of the deployment. */
export const readPlace = statement<Place & { readonly names: readonly string[] }>(
  'shards.read_place',
  'select deployment::text, name, names from database_place',
)

/** Which database it is stays. The others may have become more. */
export const takePlace = statement<unknown, Place & { names: readonly string[] }>(
  'shards.take_place',
  `insert into database_place (deployment, name, names) values ($deployment::uuid, $name::text, $names::text[])
   on conflict (is_only) do update set names = excluded.names`,
)

/** A tenant that moves has a row where it was and one where it goes, and leaves an empty one. By its mark it is not there twice. */
const NO_MARK = `(moving is null or moving = 'closing')`

/** Every tenant that ever was there: the id of one that was deleted is not given again. */
export const listIds = statement<{ tenantId: number }, { after: number; limit: number }>(
  'shards.list_ids',
  `select tenant_id as "tenantId" from tenants
    where tenant_id > $after::int and ${NO_MARK} order by tenant_id limit $limit::int`,
)

export const idsHere = statement<{ tenantId: number }, { ids: readonly number[] }>(
  'shards.ids_here',
  `select tenant_id as "tenantId" from tenants where tenant_id = any ($ids::int[]) and ${NO_MARK} order by tenant_id`,
)

export const highestId = statement<{ highest: number }>(
  'shards.highest_id',
  'select coalesce(max(tenant_id), 0)::int as highest from tenants',
)

/** The sequence goes on after the greatest id of any database. */
export const countBeyond = statement<unknown, { highest: number }>(
  'shards.count_beyond',
  `select setval('tenant_ids', greatest($highest::bigint, last_value), true) from tenant_ids`,
)

/** Which server it is, by the moment at which it started, whatever its addresses are, and which database on it. */
export const readIdentity = statement<{ identity: string }>(
  'shards.read_identity',
  `select concat_ws(' ', pg_postmaster_start_time(), d.oid) as identity
     from pg_database d where d.datname = current_database()`,
)

/** A database that hands out no ids refuses to, even to a process that was started on it alone. */
export const countNoMore = statement<unknown>(
  'shards.count_no_more',
  `select setval('tenant_ids', max_value, true) from (select seqmax as max_value from pg_sequence where seqrelid = 'tenant_ids'::regclass) s`,
)
