-- Events: from a committed change to the tenant's server. The outbox holds what waits and nothing else, so that what was
-- settled before never makes a claim slower.

alter table tenants add column events_webhook_url text;

alter table outbox
  add column tool text,
  add column scope_id bigint,
  -- What arrives in the order in which it happened: the events of one action, or of one conversation. Null stands in no line.
  add column lane text,
  add column due_at timestamptz not null default clock_timestamp(),
  -- Who sends it now, and until when that is believed.
  add column claim uuid,
  add column lease_until timestamptz,
  -- How often it was tried, in all and since it was queued.
  add column attempts integer not null default 0,
  add column tries integer not null default 0,
  -- How often it was due and stood behind another of its lane.
  add column passed_over smallint not null default 0,
  -- Of an event that is sent again after it had failed: its body, exactly as it was.
  add column sealed_body text;
update outbox o set lane = coalesce(action_id::text, session_id),
       tool = (select a.tool from actions a where a.tenant_id = o.tenant_id and a.action_id = o.action_id),
       scope_id = (select a.scope_id from actions a where a.tenant_id = o.tenant_id and a.action_id = o.action_id);
drop index outbox_of_action;
create index outbox_lane on outbox (tenant_id, lane, outbox_id);
create index outbox_due on outbox (tenant_id, due_at, outbox_id);
-- A claim changes no indexed column, so with room on the page it touches no index. Rows live for milliseconds.
alter table outbox set (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Events that were given up. Their bodies are sealed, and dropped after a while.
create table undelivered_events (
  tenant_id integer not null,
  event_id text not null,
  event text not null,
  action_id uuid,
  session_id text,
  occurred_at timestamptz not null,
  attempts integer not null,
  sealed_body text not null,
  failed_at timestamptz not null,
  primary key (tenant_id, event_id)
);
create index undelivered_by_time on undelivered_events (failed_at);

-- One row per attempt. Never a body.
create table deliveries (
  tenant_id integer not null,
  delivery_id bigint generated always as identity,
  outbox_id bigint,
  event_id text not null,
  event text not null,
  action_id uuid,
  session_id text,
  url text,
  destination text check (destination in ('events_webhook', 'tool_endpoint')),
  delivered boolean not null,
  status_code integer,
  error text,
  duration_ms integer not null,
  attempted_at timestamptz not null,
  attempt integer not null,
  -- Null where there is no next attempt.
  retry_at timestamptz,
  primary key (tenant_id, delivery_id)
);
create index deliveries_by_event on deliveries (tenant_id, event, delivery_id);
create index deliveries_by_event_id on deliveries (tenant_id, event_id, delivery_id);
create index deliveries_by_action on deliveries (tenant_id, action_id, delivery_id) where action_id is not null;
create index failed_deliveries on deliveries (tenant_id, delivery_id) where not delivered;
create index deliveries_by_time on deliveries (attempted_at);
