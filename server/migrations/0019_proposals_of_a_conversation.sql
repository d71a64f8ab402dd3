-- What a conversation proposed, for its next turn.
create index actions_by_session on actions (tenant_id, session_id, created_at desc) where session_id is not null;
