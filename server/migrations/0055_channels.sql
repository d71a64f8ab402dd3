-- Where a workspace is told of what waits, besides mail: a channel of Slack, or a workflow of Teams.
create table notice_channels (
  tenant_id integer not null,
  kind text not null check (kind in ('slack', 'teams')),
  -- For people: the channel of Slack, or the host of the workflow.
  place text not null,
  -- Whose members may decide. Teams decides nothing, and has none.
  team_id text,
  -- The credentials, sealed and bound to this row: a bot token with a signing secret, or the address of a workflow.
  sealed text not null,
  set_at timestamptz not null default now(),
  -- Why nothing gets through at present, in the other side's word for it.
  fault text,
  fault_at timestamptz,
  -- The other side asked for a pause, or did not answer: nothing is sent before.
  rests_until timestamptz,
  primary key (tenant_id, kind)
);

-- One message about one write, and what it shows. It is rewritten until it shows what became of the write.
create table notice_posts (
  tenant_id integer not null,
  post_id uuid not null,
  kind text not null,
  action_id uuid not null,
  -- 0 when the write begins to wait; each reminder is a message of its own.
  occasion integer not null,
  created_at timestamptz not null default now(),
  -- Where it stands, as the other side names it. Null until it was sent, and for Teams.
  place text,
  message text,
  -- How the write stood when the message was last written. Null until it was sent.
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

-- A signed click. The same click that comes again, from Slack or from somebody who recorded it, is the same row and decides nothing more.
create table slack_clicks (
  tenant_id integer not null,
  click_id text not null,
  post_id uuid not null,
  verb text not null check (verb in ('confirm', 'reject')),
  -- Of what the message showed.
  payload_hash text not null,
  team_id text not null,
  member_id text not null,
  place text not null,
  message text not null,
  received_at timestamptz not null default now(),
  attempts integer not null default 1,
  lease uuid,
  lease_until timestamptz not null,
  -- What came of it, once it is settled.
  outcome text,
  settled_at timestamptz,
  primary key (tenant_id, click_id)
);
create index slack_clicks_open on slack_clicks (lease_until) where settled_at is null;
create index slack_clicks_to_forget on slack_clicks (received_at);
