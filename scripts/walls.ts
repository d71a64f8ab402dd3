// Holds every SQL text that the server can ever run against the two walls: who writes which table, and whose rows it touches.
import { readFileSync } from 'node:fs'
import { allStatements } from '../server/src/foundation/db/index.ts'
import { announced } from '../server/src/ground/outbox/index.ts'
import { dividedFaults } from './divided-wall.ts'
import { findFiles } from './files.ts'
import { tablesAfter } from './sql-tree.ts'
import { type Declared, guestTable, insertedColumns, tableFaults } from './table-wall.ts'
import { ERASER, GUESTS, OWNERS } from './tables.ts'
import { joinFaults, looksOnly, wallFaults } from './tenant-wall.ts'

const SWEEP = 'finds what a sweep is to take, tenant after tenant'
const FIGURE = 'a figure of the whole deployment'
const OF_PROVIDER = 'a provider looks at its own businesses, and at nobody else’s'
const ROTATION = 'a rotation of the encryption key walks over every tenant'

/** The statements that look over many tenants, each with its reason. They change nothing and lock nothing. */
export const LOOKS: Readonly<Record<string, string>> = {
  'access.list_old_keys': SWEEP,
  'actions.list_due': SWEEP,
  'actions.list_lapsed': SWEEP,
  'actions.list_unread': SWEEP,
  'reminders.list_waiting': SWEEP,
  'actions.list_old_tokens': SWEEP,
  'audit.list_to_archive': SWEEP,
  'audit.list_deleted': 'the operator is told of archives whose workspaces are gone',
  'calls.list_old': SWEEP,
  'drafts.list_old': SWEEP,
  'chat.list_old_sessions': SWEEP,
  'events.list_tenants': SWEEP,
  'events.walk_tenants': SWEEP,
  'events.list_old_deliveries': SWEEP,
  'events.list_old_bodies': SWEEP,
  'access.list_old_sessions': SWEEP,
  'access.list_old_consoles': SWEEP,
  'people.list_old_links': SWEEP,
  'channels.list_due': SWEEP,
  'channels.list_left_clicks': SWEEP,
  'channels.list_old_clicks': SWEEP,
  'channels.list_old_posts': SWEEP,
  'notices.list_due': SWEEP,
  'notices.list_gathered': SWEEP,
  'notices.list_old': SWEEP,
  'previews.list_ended': SWEEP,
  'previews.list_forgotten': SWEEP,
  'previews.list_to_refresh': SWEEP,
  'listening.list_left': SWEEP,
  'listening.list_silent': SWEEP,
  'mail.list_due': SWEEP,
  'mail.list_old': SWEEP,
  'providers.list_due': SWEEP,
  'providers.list_old_pushes': SWEEP,
  'providers.list_to_add_up': SWEEP,
  'providers.list_unfinished': SWEEP,
  'signup.list_old_links': SWEEP,
  'knowledge.list_to_embed': SWEEP,
  'knowledge.list_of_others': SWEEP,
  'usage.list_unreported': SWEEP,
  'vocabulary.list_old': SWEEP,
  'usage.list_old_days': SWEEP,
  'usage.list_old_holds': SWEEP,
  'usage.list_old_rows': SWEEP,
  'usage.list_old_turns': SWEEP,
  'upstreams.list_unseen': SWEEP,
  'knowledge.count_waiting': FIGURE,
  'actions.read_overdue': FIGURE,
  'events.read_overdue': FIGURE,
  'events.count_waiting': FIGURE,
  'mail.read_overdue': FIGURE,
  'mail.count_failed': FIGURE,
  'access.list_sealed_keys': ROTATION,
  'events.list_queued_bodies': ROTATION,
  'events.list_sealed_bodies': ROTATION,
  'imports.list_sealed': ROTATION,
  'mail.list_sealed': ROTATION,
  'tenants.list_sealed': ROTATION,
  'channels.list_sealed': ROTATION,
  'upstreams.list_sealed': ROTATION,
  'listening.look': 'the lines of the listeners that wait on this instance, in one look',
  'listening.read_answers':
    'the answers to what waits in this process, each by its tenant, line and number, in one look',
  'streams.hear_asked': 'what others ask of the turns that an instance runs, of all its tenants in one look',
  'streams.read_frames': 'what the turns say that are read on this instance, each by its tenant and id, in one look',
  'access.find_credentials':
    'finds out who is asking: a key that does not say so is looked up by its hash, before there is a tenant',
  'access.find_business_of_session':
    'a session says nothing of its workspace: it is looked up by its hash among the businesses of a provider',
  'access.tenants_with_prefix': 'the operator revokes a key without knowing whose it is',
  'people.of_address': 'a person asks for a link on the page of the inbox by an address, before there is a tenant',
  'people.businesses_of_address':
    'a person asks for links to the businesses of a provider, which are found by an address',
  'providers.list_businesses': OF_PROVIDER,
  'providers.list_ids': OF_PROVIDER,
  'providers.list_usage': OF_PROVIDER,
  'tenants.count_address': 'one development tenant per person: an address is counted over all tenants',
  'tenants.of_address': 'a recovery is asked for by an address, before there is a tenant',
  'tenants.list': 'the operator lists the tenants',
  'usage.sum_sandbox_spend': 'what strangers may cost in a day is one sum over all sandboxes',
  'recovery.list_workspaces': 'the operator asks every workspace’s endpoint what it has performed',
  'usage.list_spenders': 'the duty that tells the operator which tenants cost more than was meant',
}

// 200 rows of 200 tenants: 1.2 ms together, 24 ms apart. Where the tables are divided it is a statement for each (`batchesOf`).
const BATCH = 'each row names its tenant, and a statement for each of them would take twenty times as long'

// `npm run bench sweep` measures it. If the statement fails, each tenant gets its own (`sweepRows`).
const SWEPT = 'takes what a sweep has found, of all tenants in one statement'

/** The statements that write for many tenants at once, each with its reason. */
export const BATCHES: Readonly<Record<string, string>> = {
  'access.touch_keys': `the last uses of keys, gathered for seconds: ${BATCH}`,
  'calls.insert': `the telemetry of calls: ${BATCH}`,
  'usage.insert': `the ledger: ${BATCH}`,
  'usage.insert_records': `how turns ended: ${BATCH}`,
  'streams.tell_frames': `what the turns of an instance say, several times a second: ${BATCH}`,
  'streams.beat_turns': `that the instance lives which runs them: ${BATCH}`,
  // 256 events of 16 tenants: 6 ms together, 26 ms apart.
  'events.claim':
    'the worker that sends takes a little of every tenant in turn, so that none waits behind another; a statement for each of them would take four times as long',
  'events.settle': `what became of the events that a worker sent: ${BATCH}`,
  'access.forget_consoles': SWEPT,
  'access.forget_keys': SWEPT,
  'access.forget_sessions': SWEPT,
  'actions.expire': SWEPT,
  'actions.forget_tokens': SWEPT,
  'actions.give_up_verifying': SWEPT,
  'actions.recover': SWEPT,
  'calls.forget': SWEPT,
  'events.forget_deliveries': SWEPT,
  'events.forget_undelivered': SWEPT,
  'mail.forget': SWEPT,
  'notices.forget': SWEPT,
  'people.forget_links': SWEPT,
  'signup.forget_links': SWEPT,
  'usage.forget_days': SWEPT,
  'usage.forget_holds': SWEPT,
  'usage.forget_rows': SWEPT,
  'usage.forget_turns': SWEPT,
  'usage.lapse_holds': SWEPT,
}

/** Everything that is wrong with a statement, or with a list that excuses one. */
export async function statementFaults(): Promise<string[]> {
  const declared = await declaredByRoom()
  const migrations = findFiles('server/migrations/*.sql')
  const tables = tablesAfter(migrations.map((path) => readFileSync(path, 'utf8')))
  // The one that no migration makes says which of them were applied.
  const names = ['schema_migrations', ...tables.map(({ name }) => name)]
  const ofTenants = tables.filter(({ columns }) => columns.includes('tenant_id')).map(({ name }) => name)
  return [
    ...tenantFaults(declared, new Set(ofTenants), { looks: LOOKS, batches: BATCHES }),
    ...tableFaults(declared, names, { owners: OWNERS, guests: GUESTS, eraser: ERASER }),
    ...declared.flatMap(dividedFaults),
    ...declared.flatMap(roomFaults),
    ...declared.flatMap(announceFaults),
    ...declared.flatMap(noticeFaults),
    ...houseFaults(),
  ]
}

type InRoom = Declared & { readonly names: readonly string[] }

/** The floors whose rooms declare SQL, from the bottom up. */
const FLOORS = ['ground', 'features']
const JOBS = 'server/src/ground/jobs/queries.ts'

/** Statements with the rooms that declare them: a room is a folder. */
export async function declaredByRoom(): Promise<InRoom[]> {
  const rooms = new Map(allStatements().map(({ name }) => [name, 'foundation/db']))
  const inFloors = FLOORS.flatMap((floor) => findFiles(`server/src/${floor}/**/*queries.ts`))
  const outside = findFiles('server/src/**/*queries.ts').filter((path) => !inFloors.includes(path))
  if (outside.length > 0)
    throw new Error(`${outside.join(', ')}: add the floor of this SQL to FLOORS in scripts/walls.ts.`)
  // From the ground up: a file that is loaded by a room above is still its own room's.
  // The door of ground/jobs has the SQL that sweeps share, so every other room loads it.
  const paths = [JOBS, ...inFloors]
  for (const path of paths) {
    await import(`../${path}`)
    const room = path.split('/').slice(2, 4).join('/')
    for (const { name } of allStatements()) if (!rooms.has(name)) rooms.set(name, room)
  }
  return allStatements().map(({ name, text, names }) => ({ name, text, names, room: rooms.get(name) ?? '' }))
}

/** Its room is the first word of a statement's name. */
export const roomFaults = ({ name, room }: Declared): string[] =>
  room.endsWith(`/${name.split('.')[0]}`)
    ? []
    : [`SQL "${name}" stands in ${room}: begin its name with "${room.split('/')[1]}.".`]

type Excused = Readonly<Record<string, string>>

/** Whose rows the statements touch, and whether those that are excused are excused rightly. */
export function tenantFaults(
  declared: readonly InRoom[],
  ofTenants: ReadonlySet<string>,
  { looks, batches }: { readonly looks: Excused; readonly batches: Excused },
): string[] {
  const found = declared.map((one) => ({ ...one, faults: wallFaults(one, ofTenants) }))
  const excused = { ...looks, ...batches }
  const breached = found.filter(({ name }) => !(name in excused))
  const needless = Object.keys(excused).filter(
    (name) => !found.some((one) => one.name === name && one.faults.length > 0),
  )
  return [
    ...breached.flatMap(({ name, faults }) => faults.map((fault) => `SQL "${name}": ${fault}`)),
    ...needless.map((name) => `The exception "${name}" of the tenant wall is not needed: take it out.`),
    ...declared
      .filter(({ name }) => name in excused)
      .flatMap((one) => joinFaults(one, ofTenants).map((fault) => `SQL "${one.name}": ${fault}`)),
    ...found
      .filter(({ name, text }) => name in looks && !looksOnly(text))
      .map(
        ({ name }) => `SQL "${name}" looks over all tenants, and changes or locks something: do that for one tenant.`,
      ),
    ...found
      .filter(({ name, text }) => name in batches && looksOnly(text))
      .map(({ name }) => `SQL "${name}" only looks: put it among the looks.`),
  ]
}

const ANNOUNCED = insertedColumns(announced('changed', { event: `''`, eventId: `''` }), 'outbox')

/** Whoever tells something does it in the one form that knows what an event needs: its line, above all. */
export function announceFaults({ name, room, text }: Declared): string[] {
  if (room === OWNERS.outbox) return []
  return insertedColumns(text, 'outbox')
    .filter((columns) => !ANNOUNCED.includes(columns))
    .map(() => `SQL "${name}" writes to the outbox by itself: announce with announced() of ground/outbox.`)
}

/** A commit that notifies holds a lock of the whole database while it is written: a bell rings after it. */
export const noticeFaults = ({ name, room, text }: Declared): string[] =>
  room !== 'ground/jobs' && /\bpg_notify\b|^\s*notify\b/i.test(text)
    ? [`SQL "${name}" notifies inside of a change: let a bell ring after it (BELLS in app.ts).`]
    : []

function houseFaults(): string[] {
  const rows = guestTable(GUESTS, OWNERS)
  return readFileSync('HOUSE.md', 'utf8').includes(rows)
    ? []
    : [`HOUSE.md does not say who else writes which table. It is:\n${rows}`]
}
