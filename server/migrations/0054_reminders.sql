-- How often whoever may decide a waiting write was reminded of it: each time is an occasion of its own for their mails.
alter table actions add column reminders integer not null default 0;
