-- Sessions of the console, where a business looks after its workspace. Each came from a secret key or from the confirmed address, and
-- ends with it. Only the hash of its token is kept.
create table console_sessions (
  tenant_id integer not null,
  hash bytea not null,
  -- The key, by its prefix; null where a link to the owner's address opened it.
  key_prefix text,
  -- That address, as `tenants` keeps it.
  email_hash text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  closed_at timestamptz,
  primary key (tenant_id, hash),
  check ((key_prefix is null) <> (email_hash is null))
);
create index console_sessions_to_forget on console_sessions (expires_at);

-- Who asked for a link to the console, written for every address alike. What follows from it happens later, and the row is gone with it.
create table console_requests (
  request_id bigint generated always as identity primary key,
  email_hash text not null,
  language text not null,
  asked_at timestamptz not null default now()
);

-- A mailed link may also open the console.
alter table account_links
  drop constraint account_links_purpose_check,
  add constraint account_links_purpose_check check (purpose in ('confirm', 'recover', 'console'));
