-- The decided proposals of a conversation whose footnote an answer of its assistant had, so that each has it once. The time of the
-- latest answer does not tell it: what is decided while a turn runs is older than that turn's answer, which did not know of it.
-- Null until the next answer of a conversation from before; until then its latest answer counts.
alter table sessions add column told_actions uuid[];
