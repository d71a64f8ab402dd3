-- Events: from a committed change to the tenant's server.

-- Events that wait for delivery. The statement that makes an event true also writes its row. A delivered event leaves the table, so
-- that history never slows down a claim.
create table outbox (
  tenant_id integer not null,
  outbox_id bigint generated always as identity,
  event_id text not null,
  event text not null,
  action_id uuid,
  session_id text,
  occurred_at timestamptz not null default clock_timestamp(),
  -- The event's own members beside the common ones, as a JSON object.
  fields text not null default '{}',
  tool text,
  scope_id bigint,
  -- Events of one lane arrive in the order in which they happened: those of one action, or of one conversation. Null: no order.
  lane text,
  due_at timestamptz not null default clock_timestamp(),
  -- The worker that sends it now, and when its lease expires.
  claim uuid,
  lease_until timestamptz,
  -- Attempts in total, and since the event was last queued.
  attempts integer not null default 0,
  tries integer not null default 0,
  -- How often it was due but had to wait for an earlier event of its lane.
  passed_over smallint not null default 0,
  -- Of a failed event that is sent again: its original body.
  sealed_body text,
  primary key (tenant_id, outbox_id)
)
-- A claim changes no indexed column. With free space on the page it is a heap-only update. Rows live for milliseconds.
with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index outbox_lane on outbox (tenant_id, lane, outbox_id);
create index outbox_due on outbox (tenant_id, due_at, outbox_id);

-- Events that failed for good. A job drops their sealed bodies after a while.
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

-- One row per attempt, without the body.
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
  -- Null after the last attempt.
  retry_at timestamptz,
  primary key (tenant_id, delivery_id)
)
-- Rows expire daily in batches (see turn_records).
with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
create index deliveries_by_event on deliveries (tenant_id, event, delivery_id);
create index deliveries_by_event_id on deliveries (tenant_id, event_id, delivery_id);
create index deliveries_by_action on deliveries (tenant_id, action_id, delivery_id) where action_id is not null;
create index deliveries_by_time on deliveries (attempted_at);
create index failed_deliveries on deliveries (tenant_id, delivery_id) where not delivered;
