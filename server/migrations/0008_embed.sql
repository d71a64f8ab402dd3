-- The widget in a tenant's pages.

-- The key itself, sealed, of the one key that the snippet carries: a snippet is asked for again and again. It is
-- publishable; the keys of every other kind are kept as hashes alone.
alter table keys add column sealed text;
create unique index widget_keys on keys (tenant_id) where sealed is not null and revoked_at is null;

-- The colour and the logo that the widget wears.
create table brands (
  tenant_id integer primary key,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  logo text check (length(logo) <= 2048)
);
