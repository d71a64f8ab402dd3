-- The endpoint that a write was sent to by the claim that it was last executed under: the only one that can know what became of it.
alter table actions add column sent_to text;
