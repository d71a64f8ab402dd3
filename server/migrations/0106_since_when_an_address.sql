-- When a person got the address that they have now. A click in Slack is of an address, and may be looked up minutes later: it counts
-- only for a person who had the address when the button was pressed.
alter table users add column email_since timestamptz;
update users set email_since = created_at;
alter table users alter column email_since set default now(), alter column email_since set not null;
