-- The credential that staged a write: the hash of its key, or of the first key where it was rotated since, as `limited_as` has it. An agent
-- asks after what it staged itself, and a rotation changes nothing about that. Null for what was staged before this.
alter table actions add column staged_by bytea;
