// Runs the tenant wall over every SQL text that the server can ever run.
import { globSync, readFileSync } from 'node:fs'
import { allStatements } from '../server/src/foundation/db/index.ts'
import { tenantTablesOf, wallFaults } from './tenant-wall.ts'

/** The statements that cannot name one tenant, each with its reason. One that no longer needs its place here is a fault. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'actions.expire_due': 'the sweep of what is past its window, over all tenants',
  'actions.give_up_verifying': 'the sweep of effects that a dead process did not read back, over all tenants',
  'actions.forget_tokens': 'the sweep of tokens whose actions ended long ago, over all tenants',
  'actions.remind_due': 'the sweep of what waits at half its window, over all tenants',
  'actions.recover_lapsed': 'the sweep of what dead processes left executing, over all tenants',
  'access.find_credentials':
    'finds out which tenant is asking: a key is looked up by its hash, before there is a tenant',
  'access.list_sealed_keys': 'a rotation of the encryption key walks over the widget keys of every tenant',
  'access.touch_keys': 'writes the last use of the keys of many tenants at once, each row found by the hash of its key',
  'access.tenants_with_prefix': 'the operator revokes a key without knowing whose it is',
  'calls.insert':
    'writes the telemetry of many tenants at once; each row names the tenant of the credential that made it',
  'actions.read_overdue': 'a figure of the whole deployment: how late the sweeps are',
  'events.read_overdue': 'a figure of the whole deployment: how late the sending of events is',
  'events.count_waiting': 'a figure of the whole deployment: how many events wait',
  'mail.read_overdue': 'a figure of the whole deployment: how late the sending of mails is',
  'mail.count_failed': 'a figure of the whole deployment: how many mails were given up',
  'mail.claim_due': 'the worker takes what is due, over all tenants',
  'mail.forget': 'the sweep of mails that were settled long ago, over all tenants',
  'mail.list_sealed': 'a rotation of the encryption key walks over every waiting mail',
  'signup.forget_links': 'the sweep of links that ended long ago, over all tenants',
  'tenants.count_address': 'one development tenant per person: an address is counted over all tenants',
  'tenants.of_address': 'a recovery is asked for by an address, before there is a tenant',
  'events.claim': 'the worker that sends takes what is due of every tenant in turn',
  'events.settle':
    'writes what became of the events of many tenants at once; each row is found by its tenant and its id',
  'events.forget_deliveries': 'drops the attempts of all tenants that are past their time',
  'events.forget_undelivered': 'drops the bodies of all tenants that are past their time',
  'events.list_queued_bodies': 'a rotation of the encryption key walks over every tenant',
  'events.list_sealed_bodies': 'a rotation of the encryption key walks over every tenant',
  'chat.forget_sessions': 'the duty that deletes conversations past their retention, over all tenants',
  'usage.forget_holds': 'the duty that forgets reservations of long ago, over all tenants',
  'usage.insert': 'writes the ledger of many tenants at once; each row names the tenant of the credential that made it',
  'usage.insert_records':
    'writes how the turns of many tenants ended; each row names the tenant of the credential that made it',
  'usage.list_spenders': 'the duty that tells the operator which tenants cost more than was meant',
  'usage.lapse_holds': 'the duty that counts reservations of dead processes as spent, over all tenants',
  'tenants.list': 'the operator lists the tenants',
  'tenants.list_sealed': 'a rotation of the encryption key walks over every tenant',
}

export async function statementFaults(): Promise<string[]> {
  const tables = tenantTablesOf(
    globSync('server/migrations/*.sql')
      .sort()
      .map((path) => readFileSync(path, 'utf8')),
  )
  for (const path of globSync('server/src/**/*queries.ts')) await import(`../${path}`)
  const found = allStatements().map(({ name, text }) => ({ name, faults: wallFaults(text, tables) }))
  const faults = found
    .filter(({ name }) => !(name in EXCEPTIONS))
    .flatMap(({ name, faults }) => faults.map((fault) => `SQL "${name}": ${fault}`))
  const needless = Object.keys(EXCEPTIONS).filter(
    (name) => (found.find((one) => one.name === name)?.faults ?? []).length === 0,
  )
  return [
    ...faults,
    ...needless.map((name) => `The exception "${name}" of the tenant wall is not needed: take it out.`),
  ]
}
