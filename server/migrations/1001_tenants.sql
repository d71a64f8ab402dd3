-- Tenants, the credentials that they and their people hold, and the history of their accounts.

-- One permanent row per tenant. Deletion leaves an empty tombstone, so that a tenant id and an address are never given out again.
create sequence tenant_ids as integer;
create table tenants (
  tenant_id integer primary key default nextval('tenant_ids'),
  name text,
  plan text not null default 'free',
  self_serve boolean not null default false,
  intent text,
  email_sealed text,
  -- The address as mail and recovery know it: only Google's dots are folded. The tombstone keeps it unless it has `count_hash`.
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
  deleted_at timestamptz,
  -- Every request reads the columns below together with its credential. A claim compares and locks them in this one row.
  endpoint_url text,
  catalog_version integer not null default 0,
  events_webhook_url text,
  -- The language of mails to the workspace. Null is English.
  language text,
  brand_color text,
  brand_logo text,
  -- The address as sign-up counts it: dots are folded at every host.
  count_hash text,
  -- Counts changes of policies and people.
  authority_version integer not null default 0,
  -- A copy of imports.base_url, which a trigger maintains.
  api_url text,
  -- Each of these counts changes of its area, so that a process can tell whether the copy in its memory is still current.
  upstreams_version integer not null default 0,
  knowledge_version integer not null default 0,
  pack_version integer not null default 0,
  preview_version integer not null default 0,
  -- A sandbox has no owner: a visitor tries the assistant of a site in it, and can claim it as a workspace.
  sandbox boolean not null default false
);
create index tenants_by_email on tenants (email_hash) where email_hash is not null;
create index tenants_by_counted_email on tenants (count_hash) where count_hash is not null;
-- Pages of a provider's businesses are read in the order of their ids.
create index tenants_by_provider on tenants (provider_tenant_id, tenant_id) where provider_tenant_id is not null;
create index tenants_that_are_sandboxes on tenants (tenant_id) where sandbox;

-- What happened to the account itself. The audit trail of staged writes is a different table.
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

-- One sealed value. A process opens it at start to check that it has the encryption key that sealed the others.
create table encryption_sentinel (
  one boolean primary key default true check (one),
  sealed text not null
);

create table keys (
  hash bytea check (length(hash) = 32),
  tenant_id integer not null,
  prefix text not null,
  kind text not null,
  label text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- An action token confirms one staged write, and may speak for one person.
  action_id uuid,
  approver_user_id bigint,
  -- The customer whom the write concerns may use this action token, where the policy lets customers confirm.
  self_confirm boolean not null default false,
  -- The widget's key is shown again on request, so it is also stored sealed.
  sealed text,
  -- The hash of the first key in a chain of rotations, so that all of them share a rate bucket. Null for a key that replaced none.
  limited_as bytea,
  -- Its provider lost its authority. The key is revoked, but still known, so that its holder gets the reason.
  withdrawn boolean not null default false,
  -- The internal id of the approver. 0: no registered person. Null: issued before ids were recorded.
  approver_person_id bigint,
  -- Every unique key contains the tenant, so that tables can be divided by tenant. The hash comes first because a key is looked up
  -- by its hash before its tenant is known.
  primary key (hash, tenant_id),
  unique (tenant_id, prefix)
);
create index live_keys on keys (tenant_id, kind) where revoked_at is null;
create unique index widget_keys on keys (tenant_id) where sealed is not null and revoked_at is null;
create index keys_revoked on keys (tenant_id, revoked_at desc) where revoked_at is not null;
create index keys_to_forget on keys (revoked_at) where revoked_at is not null;
create index action_tokens_to_forget on keys (expires_at) where kind = 'action';

-- Sessions of people who signed in by a mailed link. Only the hash of the token is stored.
create table user_sessions (
  tenant_id integer not null,
  hash bytea not null,
  person_id bigint not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  closed_at timestamptz,
  primary key (tenant_id, hash)
);
create index user_sessions_of_person on user_sessions (tenant_id, person_id) where closed_at is null;
-- A provider's server sends a session without naming the business.
create index user_sessions_by_hash on user_sessions (hash);
create index user_sessions_to_forget on user_sessions (expires_at);

-- Sessions of the console. Each came from a secret key or from the confirmed address, and ends with it. Only the hash of the token
-- is stored.
create table console_sessions (
  tenant_id integer not null,
  hash bytea not null,
  -- The key's prefix. Null if a link to the owner's address opened the session.
  key_prefix text,
  -- That address, in the form of tenants.email_hash.
  email_hash text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  closed_at timestamptz,
  primary key (tenant_id, hash),
  check ((key_prefix is null) <> (email_hash is null))
);
create index console_sessions_to_forget on console_sessions (expires_at);
