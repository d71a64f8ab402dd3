-- A sign-in link is bound to the address that its person had when it was made. Null where they had none: such a link is printed, not
-- mailed. Links that are open during this migration have no address here, so people who were mailed one ask for another.
alter table sign_in_links add column email text;
