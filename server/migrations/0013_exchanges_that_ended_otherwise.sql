-- Answers that were refused, or out of budget, are kept so that they can be rated. No model is shown them, and they wait for no answer.
alter table exchanges add column result_path text not null default 'ok';
