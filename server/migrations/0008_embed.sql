-- The widget on a tenant's pages: its key, which is given again and so is kept sealed, and its looks.
alter table keys add column sealed text;
create unique index widget_keys on keys (tenant_id) where sealed is not null and revoked_at is null;

alter table tenants add column brand_color text;
alter table tenants add column brand_logo text;
