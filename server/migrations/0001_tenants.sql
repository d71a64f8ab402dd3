-- The ground: who is a customer of this service, and what they hold to prove it.

-- One row per tenant, for ever: a deleted tenant leaves an empty tombstone, so that its id and its address never come back.
create sequence tenant_ids as integer;
create table tenants (
  tenant_id integer primary key default nextval('tenant_ids'),
  name text,
  plan text not null default 'free',
  self_serve boolean not null default false,
  intent text,
  email_sealed text,
  email_hash text,
  email_confirmed_at timestamptz,
  signing_secret text,
  previous_signing_secret text,
  signing_secret_rotated_at timestamptz,
  customer_token_key text,
  provider boolean not null default false,
  -- The provider that created this tenant, if one did.
  provider_tenant_id integer,
  moderation text not null default 'default',
  daily_cap_usd numeric(12, 4),
  monthly_cap_usd numeric(12, 4),
  origins text[] not null default '{}',
  held_origins text[] not null default '{}',
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index tenants_by_email on tenants (email_hash) where email_hash is not null;
create index tenants_by_provider on tenants (provider_tenant_id) where provider_tenant_id is not null;

-- Looked up by hash alone before the tenant is known, so the hash is the key; everything else asks by tenant and prefix.
create table keys (
  hash bytea primary key check (length(hash) = 32),
  tenant_id integer not null,
  prefix text not null,
  kind text not null,
  label text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- An action token confirms one staged write and may speak for one person.
  action_id uuid,
  approver_user_id bigint,
  unique (tenant_id, prefix)
);
create index live_keys on keys (tenant_id, kind) where revoked_at is null;

-- What happened to the account itself. The audit of staged writes is another table.
create table account_events (
  tenant_id integer not null,
  event_id bigint generated always as identity,
  type text not null,
  at timestamptz not null default now(),
  key_prefix text,
  caller_hash text,
  detail text,
  primary key (tenant_id, event_id)
);

-- One sealed value that tells at start whether the encryption key is the one that sealed the others.
create table encryption_sentinel (
  one boolean primary key default true check (one),
  sealed text not null
);
