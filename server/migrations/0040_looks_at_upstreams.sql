-- Servers are looked at also when nobody calls them, by one process at a time: until then it is believed to be looking.
alter table upstreams add column looking_until timestamptz;
create index upstreams_by_look on upstreams (checked_at);
