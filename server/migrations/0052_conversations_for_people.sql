-- What a person who looks into a conversation sees of each answer: blocks, tool calls and handoff as JSON. An exchange that was
-- kept before has none of them, and only the words of its reply.
alter table exchanges
  add column blocks text,
  add column tool_calls text,
  add column handoff text;

alter table sessions
  -- That of the latest turn.
  add column language text,
  -- When a person or, while one has taken over, the visitor last wrote. `last_at` is the latest answer of the assistant, because its
  -- next turn tells what was decided since.
  add column messaged_at timestamptz,
  -- Until then no turn is given to the model; and the person who took over, if the caller named one.
  add column taken_over_until timestamptz,
  add column taken_over_by bigint;
create index sessions_by_start on sessions (tenant_id, created_at desc, session_id desc);

-- What people wrote to visitors, and what visitors said while the assistant was silent.
create table conversation_messages (
  tenant_id integer not null,
  message_id text not null,
  session_id text not null,
  author text not null check (author in ('person', 'visitor')),
  -- Of a person's message: who wrote it, where the caller named one. The name stands in `users` alone, and is forgotten there.
  person_id bigint,
  -- The caller's own key, so that a message that is sent twice is shown once.
  message_key text,
  -- The visitor's latest turn when a person wrote: after it the message stands.
  follows text,
  -- Of a visitor's words: the request that brought them.
  request_id text,
  text text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, message_id)
);
create index conversation_messages_by_session on conversation_messages (tenant_id, session_id, at);
create unique index conversation_messages_by_key on conversation_messages (tenant_id, session_id, message_key)
  where message_key is not null;
