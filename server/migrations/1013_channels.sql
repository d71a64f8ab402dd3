-- Notices outside of mail: a Slack channel, or a Teams workflow.

create table notice_channels (
  tenant_id integer not null,
  kind text not null check (kind in ('slack', 'teams')),
  -- For people: the Slack channel, or the host of the workflow.
  place text not null,
  -- The Slack team whose members may decide. Null for Teams, where no one can.
  team_id text,
  -- The credentials, sealed and bound to this row: a bot token with a signing secret, or the address of a workflow.
  sealed text not null,
  set_at timestamptz not null default now(),
  -- Why messages currently fail, in the other side's words.
  fault text,
  fault_at timestamptz,
  -- The other side requested a pause or did not respond: no message before this time.
  rests_until timestamptz,
  primary key (tenant_id, kind)
);

-- One message about one write. It is updated until it shows the outcome of the write.
create table notice_posts (
  tenant_id integer not null,
  post_id uuid not null,
  kind text not null,
  action_id uuid not null,
  -- 0 when the write begins to wait. Each reminder is a separate message.
  occasion integer not null,
  created_at timestamptz not null default now(),
  -- The message's address at the other side. Null until it is sent, and for Teams.
  place text,
  message text,
  -- The state of the write that the message shows. Null until it is sent.
  shown text,
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  lease uuid,
  lease_until timestamptz,
  done_at timestamptz,
  primary key (tenant_id, post_id),
  unique (tenant_id, kind, action_id, occasion)
);
create index notice_posts_open on notice_posts (due_at) where done_at is null;
create index notice_posts_of_action on notice_posts (tenant_id, action_id);
create index notice_posts_to_forget on notice_posts (created_at);

-- A signed click. If Slack or an attacker sends the same click again, it meets the same row and decides nothing more.
create table slack_clicks (
  tenant_id integer not null,
  click_id text not null,
  post_id uuid not null,
  verb text not null check (verb in ('confirm', 'reject')),
  -- The payload that the message showed.
  payload_hash text not null,
  team_id text not null,
  member_id text not null,
  place text not null,
  message text not null,
  received_at timestamptz not null default now(),
  attempts integer not null default 1,
  lease uuid,
  lease_until timestamptz not null,
  -- The result, once the click is settled.
  outcome text,
  settled_at timestamptz,
  primary key (tenant_id, click_id)
);
create index slack_clicks_open on slack_clicks (lease_until) where settled_at is null;
create index slack_clicks_to_forget on slack_clicks (received_at);
