-- Who asks the endpoint what became of an indeterminate write, and until when it is believed to: one at a time. A refusal counts
-- from whoever asks now, and not from somebody overtaken, while another's asking may have performed the write.
alter table actions add column reconcile_token uuid;
alter table actions add column reconciling_until timestamptz;
