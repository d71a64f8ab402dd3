-- Refused and out-of-budget answers are kept so that visitors can rate them. No model sees them, and they are not unanswered questions.
alter table exchanges add column result_path text not null default 'ok';
