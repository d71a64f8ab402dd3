-- The people of a tenant, how they sign in, and how they learn of writes that wait for them.

create table users (
  tenant_id integer not null,
  id bigint generated always as identity,
  -- The person's id in the tenant's own system, if it has one.
  user_id bigint,
  display_name text not null,
  email text,
  role text not null default 'member',
  active boolean not null default true,
  created_at timestamptz not null default now(),
  -- Since when the person has this address. A click in Slack is identified by an address, possibly minutes later. It counts only for
  -- a person who had the address when the button was pressed.
  email_since timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index users_by_user_id on users (tenant_id, user_id) where user_id is not null;
create index users_by_email on users (tenant_id, lower(email)) where email is not null;
-- The inbox's sign-in page finds people by address before the tenant is known.
create index users_by_address on users (lower(email)) where email is not null;
create trigger people_added_counted after insert on users referencing new table as changed
  for each statement execute function count_authority();
create trigger people_changed_counted after update on users referencing new table as changed
  for each statement execute function count_authority();
create trigger people_removed_counted after delete on users referencing old table as changed
  for each statement execute function count_authority();

-- One row per sign-in link. The link itself is sealed and not stored. This row makes sure that it works once.
create table sign_in_links (
  tenant_id integer not null,
  link_id uuid not null,
  person_id bigint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  spent_at timestamptz,
  -- The person's address when the link was made; the link is bound to it. Null if they had none: that link was printed, not mailed.
  email text,
  primary key (tenant_id, link_id)
);
create index sign_in_links_of_person on sign_in_links (tenant_id, person_id) where spent_at is null;
create index sign_in_links_to_forget on sign_in_links (expires_at);

-- Requests for a sign-in link. A row is written for every address, known or not, so that the response reveals nothing. A job acts on
-- the row later and deletes it.
create table sign_in_requests (
  request_id bigint generated always as identity primary key,
  -- Null if the sign-in page made the request, because it knows no workspace.
  of_tenant integer,
  email text not null,
  language text,
  asked_at timestamptz not null default now(),
  -- The provider whose key made the request: for all its businesses, or for the one in `of_tenant`.
  of_provider integer
);

-- A write that began to wait, until its approvers have been notified. The statement that stages the write also writes this row.
create table notices_due (
  tenant_id integer not null,
  action_id uuid not null,
  -- 0 when the write begins to wait. Each later notice of the same write has the next number.
  occasion integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (tenant_id, action_id, occasion)
);
create index notices_due_in_order on notices_due (created_at);

-- One row per person, write and occasion, so that no person is notified twice.
create table notices (
  tenant_id integer not null,
  person_id bigint not null,
  action_id uuid not null,
  occasion integer not null default 0,
  created_at timestamptz not null default now(),
  -- The mail that carries the notice, and when it was queued. Null while the notice waits for a digest.
  told_with uuid,
  told_at timestamptz,
  primary key (tenant_id, person_id, action_id, occasion)
);
create index notices_told on notices (tenant_id, told_at);
create index notices_gathered on notices (tenant_id, person_id) where told_with is null;
create index notices_to_forget on notices (created_at);

-- Which notices a person wants by mail, and the language they read. Not in `users`: any change there counts as a change of authority,
-- and would make a running confirm fail.
create table notice_choices (
  tenant_id integer not null,
  person_id bigint not null,
  wanted text not null default 'all' check (wanted in ('all', 'elevated', 'high', 'none')),
  -- Null until the person chooses one, or signs in on our page.
  language text check (language in ('ka', 'en')),
  primary key (tenant_id, person_id)
);
