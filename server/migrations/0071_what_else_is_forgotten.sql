-- Turns, rounds and the conversations of a day are forgotten by their age, when the settings say so. Writing these tables waits while an
-- index is built (about a second for a million rows); nobody waits for that, because rows are written behind the answers.
create index turn_records_to_forget on turn_records (at);
create index usage_rows_to_forget on usage_rows (at);
create index conversation_days_to_forget on conversation_days (day);
