-- Whether the reason of a no is also the visitor's to read. It is the staff's, unless they say otherwise.
alter table actions add column tell_visitor boolean not null default false;
