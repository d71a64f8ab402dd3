-- Distributes every table with a tenant_id over the workers of Citus, all by that column, so that the rows of one tenant are on one node.
-- Run it at the coordinator as the owner of the tables, after every `npm run migrate`: it skips tables that are already distributed.

-- A shard's trigger may lock a row of another tenant only by a query of its own, not inside an insert (0047_businesses_of_providers.sql).
create or replace function count_business_day(
  business integer, of_provider integer, on_day date, more_turns bigint, more_input bigint, more_output bigint,
  more_cost numeric, more_executed bigint
) returns void language plpgsql as $$
begin
  insert into business_days as d (tenant_id, day, turns, input_tokens, output_tokens, cost_usd, executed)
  values (business, on_day, more_turns, more_input, more_output, more_cost, more_executed)
  on conflict (tenant_id, day) do update
     set turns = d.turns + excluded.turns, input_tokens = d.input_tokens + excluded.input_tokens,
         output_tokens = d.output_tokens + excluded.output_tokens, cost_usd = d.cost_usd + excluded.cost_usd,
         executed = d.executed + excluded.executed;
  perform from tenants p where p.tenant_id = of_provider and p.deleted_at is null for key share skip locked;
  if found then
    insert into provider_day_changes (tenant_id, day, turns, input_tokens, output_tokens, cost_usd, executed)
    values (of_provider, on_day, more_turns, more_input, more_output, more_cost, more_executed);
  end if;
end $$;

do $$
declare
  relation record;
begin
  -- Citus moves a shard without stopping its writes by logical replication, together with the shards of all other tables that have the same
  -- tenants. That needs each table in the write-ahead log, and a key by which to find a changed row (docs/scale.md).
  for relation in
    select c.oid::regclass as name, c.relpersistence = 'u' as is_unlogged,
           not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) as is_keyless
      from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)
     order by c.relname
  loop
    if relation.is_unlogged then
      execute format('alter table %s set logged', relation.name);
    end if;
    if relation.is_keyless then
      execute format('alter table %s replica identity full', relation.name);
    end if;
  end loop;
  for relation in
    select c.oid::regclass as name, c.relname = 'tenants' as is_first
      from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)
     order by is_first desc, c.relname
  loop
    if relation.name = 'audit_events'::regclass then
      -- Citus creates the triggers of a table on its shards before that node has the table, so a trigger cannot name it, as this one does
      -- to tell the table from its partitions. Nor can a statement on a shard join the rows that it deleted with the tenants. Each
      -- deleted row is checked instead, as those of a partition are.
      drop trigger audit_keep_trail on audit_events;
      drop trigger audit_keep_event on audit_events;
      create trigger audit_keep_event before delete on audit_events for each row execute function keep_audit_events();
    end if;
    perform create_distributed_table(relation.name, 'tenant_id',
      colocate_with => case when relation.is_first then 'default' else 'tenants' end);
  end loop;
end $$;
