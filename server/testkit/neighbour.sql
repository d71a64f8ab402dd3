-- An ordinary workspace that stands in the database of every test beside the test's own workspaces. A query without its tenant or its
-- window then returns extra rows, and a test fails.
--
-- Ids of people, calls and deliveries begin at 1 and the sequences do not move: the first person of a test has the same id as a person here.
-- Old rows are older than the windows of pages and limits, and younger than the retention periods in tests. No duty finds anything to do
-- here, nothing refers to an address that a test could call, and no value is sealed, because each test has its own encryption key.

insert into tenants (tenant_id, name, plan, catalog_version, origins, created_at)
  values (nextval('tenant_ids'), 'Neighbour', 'Growth', 1, '{https://neighbour.example}', now() - interval '200 days');

insert into keys (tenant_id, hash, prefix, kind, label, created_at, last_used_at, revoked_at) values
  (1, sha256('neighbour secret'), 'tth_ne1ghb01', 'secret', null, now() - interval '200 days', now() - interval '1 minute', null),
  (1, sha256('neighbour agent'), 'tag_ne1ghb02', 'agent', 'shop page', now() - interval '100 days', now() - interval '1 minute', null),
  (1, sha256('neighbour former agent'), 'tag_ne1ghb03', 'agent', null, now() - interval '100 days', null, now() - interval '20 days');

insert into account_events (tenant_id, event_id, type, at, key_prefix, detail) overriding system value values
  (1, 1, 'key.issued', now() - interval '200 days', 'tth_ne1ghb01', 'secret'),
  (1, 2, 'key.issued', now() - interval '1 minute', 'tag_ne1ghb02', 'agent');

insert into catalogs (tenant_id, version, tools, hash, tool_count, write_tool_count, registered_at) values
  (1, 1, '[{"name":"get_order","description":"Looks up one order by its number.","is_write":false,"parameters":{"type":"object","properties":{"number":{"type":"string"}},"required":["number"]}},{"name":"refund_order","description":"Pays an order back to its buyer.","is_write":true,"parameters":{"type":"object","properties":{"number":{"type":"string"},"amount":{"type":"number"}},"required":["number"]}}]',
   encode(sha256('neighbour catalog'), 'hex'), 2, 1, now() - interval '100 days');

-- Two who may act, and one who has left.
insert into users (tenant_id, id, user_id, display_name, email, role, active, created_at, email_since) overriding system value values
  (1, 1, 7, 'Nino Kapanadze', 'nino@neighbour.example', 'manager', true, now() - interval '100 days', now() - interval '100 days'),
  (1, 2, 8, 'Levan Gelashvili', 'levan@neighbour.example', 'member', true, now() - interval '100 days', now() - interval '100 days'),
  (1, 3, 9, 'Tamar Japaridze', 'tamar@neighbour.example', 'manager', false, now() - interval '100 days', now() - interval '100 days');
insert into notice_choices (tenant_id, person_id, wanted, language) values (1, 1, 'high', 'ka'), (1, 2, 'none', 'en'), (1, 3, 'all', 'en');

insert into policies (tenant_id, version, rules, created_at)
  values (1, 1, '[{"tools":["refund_order"],"roles":["manager"]}]', now() - interval '100 days');

insert into user_sessions (tenant_id, hash, person_id, created_at, last_used_at, expires_at) values
  (1, sha256('neighbour session'), 1, now() - interval '1 minute', now() - interval '1 minute', now() + interval '20 days'),
  (1, sha256('neighbour former session'), 3, now() - interval '3 days', now() - interval '3 days', now() - interval '2 days');
insert into console_sessions (tenant_id, hash, key_prefix, expires_at)
  values (1, sha256('neighbour console'), 'tth_ne1ghb01', now() + interval '20 days');
insert into sign_in_links (tenant_id, link_id, person_id, email, created_at, expires_at, spent_at) values
  (1, gen_random_uuid(), 1, 'nino@neighbour.example', now() - interval '1 hour', now() - interval '45 minutes', now() - interval '1 hour'),
  (1, gen_random_uuid(), 3, 'tamar@neighbour.example', now() - interval '3 days', now() - interval '3 days', null);
insert into account_links (tenant_id, link_id, purpose, created_at, expires_at, used_at) values
  (1, 'neighbour-link-1', 'confirm', now() - interval '5 days', now() - interval '4 days', now() - interval '5 days'),
  (1, 'neighbour-link-2', 'recover', now() - interval '2 hours', now() - interval '1 hour', null);

-- One write waits, one was executed today, one expired long ago.
insert into actions (tenant_id, action_id, tool, domain, title, summary, arguments, payload_hash, hash_version, risk, value, state, subject, session_id,
    idempotency_key, attempts, confirmed_by_user_id, sent_to, result, created_at, expires_at, settled_at) values
  (1, '0a000000-0000-4000-8000-000000000001', 'refund_order', 'general', 'Refund order', 'Refund order (number: A-1)', '{"number":"A-1"}', encode(sha256('1'), 'hex'), 2, 'low', 5, 'pending', 'customer-1', 'ses_neighbour1',
   'act_neighbour_1', 0, null, null, null, now() - interval '1 minute', now() + interval '20 days', null),
  (1, '0a000000-0000-4000-8000-000000000002', 'refund_order', 'general', 'Refund order', 'Refund order (number: A-2)', '{"number":"A-2"}', encode(sha256('2'), 'hex'), 2, 'low', 7, 'executed', 'customer-1', 'ses_neighbour1',
   'act_neighbour_2', 1, 7, 'https://neighbour.example/tools', '{"done":true}', now() - interval '1 minute', now() + interval '23 hours', now() - interval '30 seconds'),
  (1, '0a000000-0000-4000-8000-000000000003', 'refund_order', 'general', 'Refund order', 'Refund order (number: A-3)', '{"number":"A-3"}', encode(sha256('3'), 'hex'), 2, 'low', 9, 'expired', 'customer-2', 'ses_neighbour2',
   'act_neighbour_3', 0, null, null, null, now() - interval '120 days', now() - interval '119 days', now() - interval '119 days');
insert into approvals (tenant_id, action_id, user_id, payload_hash, at) values
  (1, '0a000000-0000-4000-8000-000000000002', -1, encode(sha256('2'), 'hex'), now() - interval '30 seconds');
insert into confirm_keys (tenant_id, user_id, confirm_key, action_id) values (1, 7, 'confirm-1', '0a000000-0000-4000-8000-000000000002');
insert into audit_events (tenant_id, action_id, tool, event, user_id, person_id, source, payload_hash) values
  (1, '0a000000-0000-4000-8000-000000000001', 'refund_order', 'proposed', 0, 0, 'POST /v1/actions', encode(sha256('1'), 'hex')),
  (1, '0a000000-0000-4000-8000-000000000002', 'refund_order', 'proposed', 0, 0, 'POST /v1/actions', encode(sha256('2'), 'hex')),
  (1, '0a000000-0000-4000-8000-000000000002', 'refund_order', 'approved', 7, 1, 'POST /v1/actions/{actionId}/confirm', encode(sha256('2'), 'hex')),
  (1, '0a000000-0000-4000-8000-000000000002', 'refund_order', 'executed', 7, 1, 'POST /v1/actions/{actionId}/confirm', encode(sha256('2'), 'hex'));
insert into event_days (tenant_id, day, event, count) values
  (1, current_date - 120, 'proposed', 1), (1, current_date - 119, 'expired', 1);
insert into notices (tenant_id, person_id, action_id, created_at, told_at) values
  (1, 1, '0a000000-0000-4000-8000-000000000001', now() - interval '1 minute', now() - interval '1 minute'),
  (1, 2, '0a000000-0000-4000-8000-000000000001', now() - interval '1 minute', now() - interval '1 minute');

insert into deliveries (tenant_id, delivery_id, outbox_id, event_id, event, action_id, url, destination, delivered, status_code, duration_ms, attempted_at, attempt) overriding system value values
  (1, 1, 1, 'evt_neighbour1', 'action.pending', '0a000000-0000-4000-8000-000000000001', 'https://neighbour.example/tools', 'tool_endpoint', true, 200, 40, now() - interval '1 minute', 1),
  (1, 2, 2, 'evt_neighbour2', 'action.executed', '0a000000-0000-4000-8000-000000000002', 'https://neighbour.example/tools', 'tool_endpoint', false, 500, 40, now() - interval '20 days', 1);

insert into mails (tenant_id, mail_id, kind, language, recipient_hash, state, created_at, due_at, attempt) values
  (1, 'evt_neighbour_mail1', 'sign_in', 'en', encode(sha256('nino@neighbour.example'), 'hex'), 'sent', now() - interval '1 minute', now() - interval '1 minute', 1),
  (1, 'evt_neighbour_mail2', 'approval_notice', 'en', encode(sha256('levan@neighbour.example'), 'hex'), 'dropped', now() - interval '20 days', now() - interval '20 days', 1);
insert into mail_attempts (tenant_id, mail_id, attempt, delivery_id, kind, attempted_at, delivered, status_code, error, duration_ms) overriding system value values
  (1, 'evt_neighbour_mail1', 1, 1, 'sign_in', now() - interval '1 minute', true, 250, null, 40),
  (1, 'evt_neighbour_mail2', 1, 2, 'approval_notice', now() - interval '20 days', false, 550, 'mailbox unavailable', 40);

-- Two conversations, one of them three weeks old.
insert into sessions (tenant_id, session_id, owner_kind, owner, language, exchanges, created_at, last_at) values
  (1, 'ses_neighbour1', 'customer', 'customer-1', 'en', 1, now() - interval '1 minute', now() - interval '1 minute'),
  (1, 'ses_neighbour2', 'customer', 'customer-2', 'ka', 1, now() - interval '20 days', now() - interval '20 days');
insert into exchanges (tenant_id, session_id, number, request_id, prompt, reply, used_tools, answered, at) values
  (1, 'ses_neighbour1', 1, 'req_neighbour1', 'Where is my order?', 'It is on its way.', '{get_order}', true, now() - interval '1 minute'),
  (1, 'ses_neighbour2', 1, 'req_neighbour2', 'May I send it back?', 'Within 14 days.', '{}', true, now() - interval '20 days');
insert into feedback (tenant_id, request_id, session_id, rating, comment, customer_id, created_at, updated_at, began_at) values
  (1, 'req_neighbour1', 'ses_neighbour1', 'up', 'Thank you.', 'customer-1', now() - interval '1 minute', now() - interval '1 minute', now() - interval '1 minute'),
  (1, 'req_neighbour2', 'ses_neighbour2', 'down', null, 'customer-2', now() - interval '20 days', now() - interval '20 days', now() - interval '20 days');
insert into conversation_messages (tenant_id, message_id, session_id, author, person_id, text, at) values
  (1, 'msg_neighbour1', 'ses_neighbour1', 'person', 1, 'I am looking into it.', now() - interval '1 minute');

-- What they cost: today, and before the month that is counted.
insert into turn_records (tenant_id, record_id, at, request_id, session_id, surface, source, client, plan, kind, result_path, rounds, tool_calls, proposals,
    handed_off, answered, preview, input_tokens, output_tokens, model, duration_ms) values
  (1, gen_random_uuid(), now() - interval '1 minute', 'req_neighbour1', 'ses_neighbour1', 'chat', 'POST /v1/chat', 'web', 'Growth', 'secret', 'ok', 2, 1, 0, false, true, false, 1200, 20, 'played', 30),
  (1, gen_random_uuid(), now() - interval '45 days', 'req_neighbour2', 'ses_neighbour2', 'chat', 'POST /v1/chat', 'web', 'Growth', 'secret', 'ok', 1, 0, 0, true, false, false, 600, 10, 'played', 30);
insert into usage_rows (tenant_id, usage_id, at, request_id, purpose, model, input_tokens, output_tokens, cost_usd) values
  (1, gen_random_uuid(), now() - interval '1 minute', 'req_neighbour1', 'turn', 'played', 1200, 20, 0.25),
  (1, gen_random_uuid(), now() - interval '45 days', 'req_neighbour2', 'turn', 'played', 600, 10, 0.5);
insert into spend (tenant_id, period, spent_usd) values
  (1, to_char(now() at time zone 'UTC', 'YYYY-MM'), 0.25), (1, to_char(now() at time zone 'UTC', 'YYYY-MM-DD'), 0.25);
insert into turn_quotas (tenant_id, began_at, used, most) values (1, now() - interval '1 minute', 3, 2000);
insert into tool_calls (tenant_id, call_id, at, request_id, tool, domain, surface, status, http_status, attempts, duration_ms) overriding system value values
  (1, 1, now() - interval '1 minute', 'req_neighbour1', 'get_order', 'general', 'chat', 'ok', 200, 1, 40),
  (1, 2, now() - interval '5 days', 'act_neighbour_3', 'refund_order', 'general', 'action', 'error', 500, 2, 900);

insert into domain_suggestions (tenant_id, suggestion_id, status, lexicon, origin, created_at, decided_at) values
  (1, 'sug_neighbour1', 'pending', '{"returns":["refund"]}', 'key tth_ne1ghb01', now() - interval '1 minute', null),
  (1, 'sug_neighbour2', 'dismissed', '{"returns":["swap"]}', 'key tth_ne1ghb01', now() - interval '20 days', now() - interval '20 days');
