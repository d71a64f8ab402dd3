-- People who sign in. A person may have no id in the tenant's own system; then approvals and the trail name them by minus their
-- own id, so that one column names whoever acted: 0 is nobody, a positive number a userId, a negative one such a person.

-- What a mailed link opened. Only the hash of its token is kept.
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
create index user_sessions_to_forget on user_sessions (expires_at);

-- One row per mailed link. The link itself is sealed and kept nowhere; this row is why it works once.
create table sign_in_links (
  tenant_id integer not null,
  link_id uuid not null,
  person_id bigint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  spent_at timestamptz,
  primary key (tenant_id, link_id)
);
create index sign_in_links_of_person on sign_in_links (tenant_id, person_id) where spent_at is null;
create index sign_in_links_to_forget on sign_in_links (expires_at);

-- Who asked for a link, written for every address alike. What follows from it happens later, and the row is gone with it.
create table sign_in_requests (
  request_id bigint generated always as identity primary key,
  -- Null where the page asked, which knows of no workspace.
  of_tenant integer,
  email text not null,
  language text,
  asked_at timestamptz not null default now()
);

-- The page of the inbox finds people by their address before there is a tenant.
create index users_by_address on users (lower(email)) where email is not null;

-- Somebody who was removed no longer decides; a workspace that is being deleted has nothing left to decide.
create or replace function count_authority() returns trigger language plpgsql as $$
begin
  update tenants t set authority_version = t.authority_version + 1
    from (select distinct tenant_id from changed) as c where t.tenant_id = c.tenant_id and t.deleted_at is null;
  return null;
end $$;
create trigger people_removed_counted after delete on users referencing old table as changed
  for each statement execute function count_authority();
