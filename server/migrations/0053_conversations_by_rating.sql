-- The list of conversations is asked for those with a rating, and for those of a write whose effect was not seen.
create index feedback_by_rating on feedback (tenant_id, rating, session_id);
create index actions_unverified on actions (tenant_id, session_id) where verification_status = 'unverified';
