-- Sign-up, recovery, links to the console, and outgoing mail.

-- One row per mailed link. The link itself is sealed and not stored. This row makes sure that it works once, and only the newest.
create table account_links (
  tenant_id integer not null,
  link_id text not null,
  -- A link of one purpose never opens another.
  purpose text not null check (purpose in ('confirm', 'recover', 'console')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  superseded_at timestamptz,
  primary key (tenant_id, link_id)
);
create index account_links_by_age on account_links (tenant_id, purpose, created_at);

-- Counts across workspaces, by salted hashes only. It names no workspace and outlives them, so that deleting a workspace gives no
-- second free one.
create table signup_ledger (
  entry_id bigint generated always as identity primary key,
  -- signup, link: by the hash of the caller's IP address. address: a confirmed mail address that a workspace gave up; left: the same
  -- together with that workspace, which may take it back. verify: a link that was used.
  kind text not null check (kind in ('signup', 'link', 'address', 'left', 'verify')),
  hash text not null,
  at timestamptz not null default now()
);
create index signup_ledger_by_hash on signup_ledger (kind, hash, at);
create index signup_ledger_by_time on signup_ledger (kind, at);

-- Requests for a recovery link and for a link to the console. A row is written for every address, known or not, so that the response
-- reveals nothing. A job acts on the row later and deletes it.
create table recovery_requests (
  request_id bigint generated always as identity primary key,
  email_hash text not null,
  caller_hash text not null,
  language text,
  asked_at timestamptz not null default now()
);
create table console_requests (
  request_id bigint generated always as identity primary key,
  email_hash text not null,
  language text not null,
  asked_at timestamptz not null default now()
);

-- Outgoing mail. Written in the transaction that it announces, sent by a worker.
create table mails (
  tenant_id integer not null,
  mail_id text not null,
  kind text not null,
  language text not null,
  -- The recipient and the values of the template. Emptied as soon as nothing is left to send.
  sealed text,
  recipient_hash text not null,
  -- About the workspace but not addressed to it (to the operator, to a previous address). Never held, and not listed for the workspace.
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
  -- In the order of the attempts. The cursor of the list.
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
