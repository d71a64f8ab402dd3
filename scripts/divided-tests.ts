// Which tests run again on tables that are divided by tenant. The others run on whole tables only: `divided-plans.test.ts` prepares and
// plans every statement of the service on divided tables, and what a statement returns does not depend on how its tables are stored. A
// test belongs here if the service itself does something else on divided tables, or if the result depends on locks, triggers, unique
// keys or the order of rows, which each partition has for itself.

/** Paths of tests, or the folders above them, each with its reason. */
export const DIVIDED_TESTS: Readonly<Record<string, string>> = {
  'server/src/writes/actions/': 'claims lock rows and sweeps write one batch per tenant; triggers guard the states',
  'server/src/writes/approvals/': 'policies and people are numbered per tenant under a lock',
  'server/src/tools/calls/call-log': 'the log is written in one batch per tenant',
  'server/src/talk/chat/elsewhere': 'tapes are written in one batch per tenant and followed by other instances',
  'server/src/talk/chat/streaming': 'the same',
  'server/src/talk/chat/watches': 'the same',
  'server/src/tenancy/events/': 'the pump lists tenants instead of walking an index, and claims one tenant at a time',
  'server/src/talk/knowledge/': 'vectors are stored in one batch per tenant',
  'server/src/talk/outcomes/': 'triggers keep the daily counts',
  'server/src/writes/people/': 'a session is found without knowing its tenant, and triggers end it',
  'server/src/modules/providers/': 'triggers guard whose business a workspace is; figures are read across tenants',
  'server/src/tenancy/signup/': 'an address is unique across tenants',
  'server/src/tenancy/access/': 'a key is looked up in the tenant that it names first',
  'server/src/access-matrix': 'the same',
  'server/src/ci-keys': 'the same',
  'server/src/writes/audit/': 'the trail is append-only by triggers, and archived and erased as a whole',
  'server/src/tenancy/jobs/': 'batches and sweeps are made here',
  'server/src/tenancy/mail/': 'mails are claimed across tenants with row locks',
  'server/src/tenancy/tenants/': 'a deletion empties every table of a tenant',
  'server/src/tenancy/usage/': 'the ledger is written in one batch per tenant',
}

export const runsDivided = (file: string): boolean => Object.keys(DIVIDED_TESTS).some((start) => file.startsWith(start))
