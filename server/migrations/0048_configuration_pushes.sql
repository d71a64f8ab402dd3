-- What a provider sends to its businesses: what was meant when it was asked for, and what became of it, business for business.
create table configuration_pushes (
  -- The provider.
  tenant_id integer not null,
  push_id text not null,
  -- The order in which pushes were asked for: whichever is later wins.
  number bigint generated always as identity,
  -- The parts as they stood, as JSON. Null once nothing is left to do.
  content text,
  total integer not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (tenant_id, push_id)
);
create index configuration_pushes_to_forget on configuration_pushes (finished_at) where finished_at is not null;

create table configuration_push_items (
  tenant_id integer not null,
  push_id text not null,
  business_id integer not null,
  part text not null check (part in ('catalog', 'domain_pack', 'events_webhook', 'origins', 'policy')),
  -- The number of its push.
  number bigint not null,
  status text check (status in ('applied', 'unchanged', 'refused')),
  error text,
  tries integer not null default 0,
  primary key (tenant_id, push_id, business_id, part)
);
create index configuration_push_items_due on configuration_push_items (number, tenant_id, business_id) where status is null;
-- Whether a later push has come first.
create index configuration_push_items_newest on configuration_push_items (tenant_id, business_id, part, number);
