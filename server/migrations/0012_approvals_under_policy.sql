-- Every approval is recorded. One that was given while no policy was in force does not count under a later policy.
alter table approvals add column under_policy boolean not null default true;
