-- Sign-up: the links that were mailed, what is counted per address, and the mails themselves.

-- The language of the mails to a workspace; null is English.
alter table tenants add column language text;

-- One row per mailed link. The link itself is sealed and kept nowhere; this row is why it works once, and only the newest.
create table account_links (
  tenant_id integer not null,
  link_id text not null,
  -- What it opens: a link of one purpose never opens another.
  purpose text not null check (purpose in ('confirm', 'recover')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  superseded_at timestamptz,
  primary key (tenant_id, link_id)
);
create index account_links_by_age on account_links (tenant_id, purpose, created_at);

-- What is counted across workspaces, by salted hashes alone. It names no workspace and outlives each of them: a workspace
-- that deletes itself gives nobody a second chance.
create table signup_ledger (
  entry_id bigint generated always as identity primary key,
  -- signup, link: by the hash of a caller's address. address: a confirmed address that was left; left: the same with the
  -- workspace that left it, which may come back to it. verify: a link that was used.
  kind text not null check (kind in ('signup', 'link', 'address', 'left', 'verify')),
  hash text not null,
  at timestamptz not null default now()
);
create index signup_ledger_by_hash on signup_ledger (kind, hash, at);
create index signup_ledger_by_time on signup_ledger (kind, at);

-- Who asked for a recovery link. Written for every address alike; what follows from it happens later and elsewhere.
create table recovery_requests (
  request_id bigint generated always as identity primary key,
  email_hash text not null,
  caller_hash text not null,
  language text,
  asked_at timestamptz not null default now()
);

-- What is to be mailed. Written in the transaction that it announces, sent by a worker.
create table mails (
  tenant_id integer not null,
  mail_id text not null,
  kind text not null,
  language text not null,
  -- The recipient and what the words need; emptied as soon as nothing is left to send.
  sealed text,
  recipient_hash text not null,
  -- About the workspace and not to it (to the operator, to a former address): never held, not shown to it.
  internal boolean not null default false,
  state text not null check (state in ('held', 'queued', 'sent', 'failed', 'dropped')),
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  attempt smallint not null default 0,
  primary key (tenant_id, mail_id)
);
create index mails_due on mails (due_at) where state = 'queued';
create index mails_held on mails (tenant_id) where state = 'held';
create index mails_of_kind on mails (tenant_id, kind, created_at);

create table mail_attempts (
  tenant_id integer not null,
  mail_id text not null,
  attempt smallint not null,
  -- In the order in which they were made: what a page of the list begins after.
  delivery_id bigint generated always as identity,
  kind text not null,
  attempted_at timestamptz not null default now(),
  delivered boolean not null,
  status_code smallint,
  error text,
  duration_ms integer not null,
  retry_at timestamptz,
  primary key (tenant_id, mail_id, attempt)
);
create index mail_attempts_newest on mail_attempts (tenant_id, delivery_id desc);
