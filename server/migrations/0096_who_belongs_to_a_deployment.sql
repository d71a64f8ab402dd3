-- Each of several databases knows all of them by name, so that a process notices at its start that its settings lack one. It would tell
-- the tenants there that their keys are not valid. `npm run migrate` fills it in.
alter table database_place add column names text[] not null default '{}';
