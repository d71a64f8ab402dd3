// The facts about each table that its columns do not show. The walls, the erasure of a tenant and the tests read them.

type TableFacts = {
  /** The room that writes it. A statement of another room that writes it declares itself its `guest`. */
  readonly owner: string
  /** The columns that a rotation of the encryption key seals again. Sealed rows that live for minutes are not rotated. */
  readonly sealed?: readonly string[]
  /** The bell that every statement rings which inserts into it. */
  readonly wakes?: string
}

/** These keep their rows when a tenant is erased. */
const KEPT_TABLES: Readonly<Record<string, TableFacts>> = {
  schema_migrations: { owner: 'kernel/db' },
  tenants: {
    owner: 'tenancy/tenants',
    sealed: ['email_sealed', 'signing_secret', 'previous_signing_secret', 'customer_token_key'],
  },
  encryption_sentinel: { owner: 'tenancy/tenants' },
  deployment_spend: { owner: 'tenancy/usage' },
  sandbox_tally: { owner: 'modules/previews' },
  sign_in_requests: { owner: 'writes/people' },
  signup_ledger: { owner: 'tenancy/signup' },
  recovery_requests: { owner: 'tenancy/signup' },
  console_requests: { owner: 'tenancy/signup' },
}

/** All tables with rows of a tenant, in the order in which its erasure empties them. */
export const ERASED_TABLES: Readonly<Record<string, TableFacts>> = {
  keys: { owner: 'tenancy/access', sealed: ['sealed'] },
  account_events: { owner: 'tenancy/tenants' },
  catalogs: { owner: 'tools/catalog' },
  knowledge_documents: { owner: 'talk/knowledge', wakes: 'knowledge' },
  previews: { owner: 'modules/previews' },
  preview_crawls: { owner: 'modules/previews' },
  sandboxes: { owner: 'modules/previews' },
  imports: { owner: 'modules/openapi-import', sealed: ['credential'] },
  import_drafts: { owner: 'modules/openapi-import' },
  import_draft_operations: { owner: 'modules/openapi-import' },
  tool_calls: { owner: 'tools/calls' },
  actions: { owner: 'writes/actions' },
  confirm_keys: { owner: 'writes/actions' },
  approvals: { owner: 'writes/actions' },
  users: { owner: 'writes/approvals' },
  user_sessions: { owner: 'tenancy/access' },
  console_sessions: { owner: 'tenancy/access' },
  sign_in_links: { owner: 'writes/people' },
  notices_due: { owner: 'writes/notices', wakes: 'notices' },
  notices: { owner: 'writes/notices' },
  notice_choices: { owner: 'writes/notices' },
  slack_clicks: { owner: 'modules/channels' },
  notice_posts: { owner: 'modules/channels', wakes: 'channels' },
  notice_channels: { owner: 'modules/channels', sealed: ['sealed'] },
  policies: { owner: 'writes/approvals' },
  shadow_policies: { owner: 'writes/approvals' },
  shadow_differences: { owner: 'writes/approvals' },
  domain_packs: { owner: 'talk/vocabulary' },
  domain_suggestions: { owner: 'talk/vocabulary' },
  // Before the other tables of events: the statement that settles an event locks its row here first.
  outbox: { owner: 'tenancy/events', wakes: 'events', sealed: ['sealed_body'] },
  undelivered_events: { owner: 'tenancy/events', sealed: ['sealed_body'] },
  deliveries: { owner: 'tenancy/events' },
  audit_events: { owner: 'writes/audit' },
  audit_heads: { owner: 'writes/audit' },
  audit_archives: { owner: 'writes/audit' },
  event_days: { owner: 'writes/audit' },
  account_links: { owner: 'tenancy/signup' },
  mails: { owner: 'tenancy/mail', wakes: 'tether_mail', sealed: ['sealed'] },
  mail_attempts: { owner: 'tenancy/mail' },
  sessions: { owner: 'talk/chat' },
  conversation_messages: { owner: 'talk/conversations' },
  exchanges: { owner: 'talk/chat' },
  feedback: { owner: 'talk/chat' },
  // After `feedback`: deleting a rating updates its day here.
  rating_days: { owner: 'talk/chat' },
  turn_records: { owner: 'tenancy/usage' },
  turn_frames: { owner: 'talk/streams' },
  listener_requests: { owner: 'modules/listening' },
  listener_lines: { owner: 'modules/listening' },
  turn_days: { owner: 'tenancy/usage' },
  conversation_days: { owner: 'tenancy/usage' },
  usage_rows: { owner: 'tenancy/usage' },
  model_days: { owner: 'tenancy/usage' },
  spend: { owner: 'tenancy/usage' },
  spend_holds: { owner: 'tenancy/usage' },
  turn_quotas: { owner: 'tenancy/usage' },
  upstreams: { owner: 'modules/upstreams', sealed: ['credential'] },
  business_days: { owner: 'modules/providers' },
  provider_day_changes: { owner: 'modules/providers' },
  provider_days: { owner: 'modules/providers' },
  configuration_push_items: { owner: 'modules/providers' },
  configuration_pushes: { owner: 'modules/providers', wakes: 'configuration_pushes' },
}

export const TABLES: Readonly<Record<string, TableFacts>> = { ...KEPT_TABLES, ...ERASED_TABLES }

type CrossingTrigger = { readonly on: string; readonly writes: readonly string[]; readonly why: string }

const AUTHORITY =
  'a claim compares the count and locks the row, so a decision under changed rules or people is not executed'
const PROVIDER_USAGE = 'a provider reads the usage of its businesses by day, and no statement can forget to count it'
const USAGE_TABLES = ['business_days', 'provider_day_changes']

/**
 * The triggers that write a table of another owner than the table they stand on. No statement declares these writes, so each has a
 * reason here. scripts/crossing-triggers.test.ts compares this with the functions in the database.
 */
export const CROSSING_TRIGGERS: Readonly<Record<string, CrossingTrigger>> = {
  policies_counted: { on: 'policies', writes: ['tenants'], why: AUTHORITY },
  people_added_counted: { on: 'users', writes: ['tenants'], why: AUTHORITY },
  people_changed_counted: { on: 'users', writes: ['tenants'], why: AUTHORITY },
  people_removed_counted: { on: 'users', writes: ['tenants'], why: AUTHORITY },
  imports_noted: {
    on: 'imports',
    writes: ['tenants'],
    why: "a claim compares the address of the imported API in the tenant's row, so no statement can move the API unnoticed",
  },
  executed_counted: { on: 'audit_events', writes: USAGE_TABLES, why: PROVIDER_USAGE },
  usage_counted: { on: 'usage_rows', writes: USAGE_TABLES, why: PROVIDER_USAGE },
  turns_counted: { on: 'turn_records', writes: USAGE_TABLES, why: PROVIDER_USAGE },
  business_moved: {
    on: 'tenants',
    writes: USAGE_TABLES,
    why: 'a business that moves to another provider takes its usage along in the same transaction',
  },
}
