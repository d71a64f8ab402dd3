-- An amended action is rejected, and another one with other arguments takes its place: the two know each other.
alter table actions add column replaces uuid;
alter table actions add column replaced_by uuid;
-- Who asked for those before it, as numbers of people: where the policy bars requesters, it bars all of them.
alter table actions add column earlier_requesters bigint[] not null default '{}';
