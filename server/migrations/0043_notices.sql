-- A write that has begun to wait, until those who may approve it have been told. The row is written with the write itself.
create table notices_due (
  tenant_id integer not null,
  action_id uuid not null,
  -- 0 when it begins to wait. Whoever is to hear of the same write again is told under the next number.
  occasion integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (tenant_id, action_id, occasion)
);
create index notices_due_in_order on notices_due (created_at);

-- Who is told of which write: one row per person, write and occasion, so that nobody is told twice.
create table notices (
  tenant_id integer not null,
  person_id bigint not null,
  action_id uuid not null,
  occasion integer not null default 0,
  created_at timestamptz not null default now(),
  -- The mail that tells of it, and when it was queued. Null while it is gathered for a digest.
  told_with uuid,
  told_at timestamptz,
  primary key (tenant_id, person_id, action_id, occasion)
);
create index notices_told on notices (tenant_id, told_at);
create index notices_gathered on notices (tenant_id, person_id) where told_with is null;
create index notices_to_forget on notices (created_at);

-- Which of these mails a person wants, and in which language they read. Not in `users`: whatever is written there counts as a
-- change of authority, and a confirm that is under way would be refused for it.
create table notice_choices (
  tenant_id integer not null,
  person_id bigint not null,
  wanted text not null default 'all' check (wanted in ('all', 'elevated', 'high', 'none')),
  -- Null until they have said it, or signed in on our page.
  language text check (language in ('ka', 'en')),
  primary key (tenant_id, person_id)
);
