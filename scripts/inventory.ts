// `npm run inventory --silent > FILE`: what the service consists of, one line each, in order. Comparing two of these files shows what a
// refactoring changed: a step that only moves code changes nothing here.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mailKinds } from '../server/src/core.ts'
import { allStatements, unlisted } from '../server/src/kernel/db/index.ts'
import { settingsReference } from '../server/src/kernel/settings/index.ts'
import { MODULES } from '../server/src/modules.ts'
import { openHouse } from '../server/testkit/house.ts'
import { buildServer } from './build-server.ts'
import { findFiles } from './files.ts'
import { declaredByRoom } from './walls.ts'

const house = await openHouse({ modules: MODULES })
// Loads every file that declares SQL.
await declaredByRoom()
const sections: Readonly<Record<string, readonly string[]>> = {
  routes: routes(),
  jobs: house.app.duties.map(
    ({ name, everyMs, wokenBy = 'nothing' }) => `${name} every ${everyMs} ms, woken by ${wokenBy}`,
  ),
  'kinds of mail': mailKinds(
    MODULES.map((one) => one.begin().offers),
    () => {
      throw new Error('No mail is written here.')
    },
  ).map(({ kind }) => kind),
  settings: (['service', 'assistant'] as const).flatMap((part) =>
    settingsReference(part)
      .split('\n')
      .filter((line) => line.startsWith('| `')),
  ),
  statements: statements(),
  schema: await schema(),
  tests: tests(),
  'files of the bundle': await bundleFiles(),
}
await house.close()
for (const [name, lines] of Object.entries(sections)) {
  console.log(`# ${name}: ${lines.length}`)
  for (const line of lines.toSorted()) console.log(line)
}

function routes(): string[] {
  return house.app.routes.map(({ method, path: at, reach, lane, errors }) =>
    [`${method} ${at}`, lane, JSON.stringify(reach), [...(errors ?? [])].sort().join(' ')].join(' | '),
  )
}

/** With a digest of its text, the jobs that it wakes, and what it may do beyond its tenant and its room. */
function statements(): string[] {
  return allStatements().map(({ name, text, wakes = [], looks, batches, guest = {} }) => {
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 12)
    const more = [
      ...(looks === undefined ? [] : [`looks: ${looks}`]),
      ...(batches === undefined ? [] : [`batches: ${batches}`]),
    ]
    const guests = Object.entries(guest).map(([table, why]) => `guest of ${table}: ${why}`)
    return [`${name} ${digest} wakes ${wakes.toSorted().join(' ') || 'nothing'}`, ...more, ...guests].join(' | ')
  })
}

async function schema(): Promise<string[]> {
  const listed = unlisted<{ line: string }>(
    'inventory.schema',
    `select format('column %s.%s %s%s default %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then ' not null' else '' end, coalesce(pg_get_expr(d.adbin, d.adrelid), 'none')) as line
       from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped
     union all select format('index %s', indexdef) from pg_indexes where schemaname = 'public'
     union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
       from pg_constraint where connamespace = 'public'::regnamespace
     union all select format('trigger %s', pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
     union all select format('function %s %s', oid::regprocedure, md5(pg_get_functiondef(oid)))
       from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
     union all select format('sequence %s %s', sequencename, coalesce(last_value, start_value)) from pg_sequences`,
  )
  return (await house.database.database.rows(listed)).map(({ line }) => line)
}

function tests(): string[] {
  const files = findFiles(['**/*.test.ts', '**/*.browser.ts', '**/*.proof.ts'])
  return files.flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(/^ *(?:test|it)(?:\.\w+)?\(\s*(['"`])(.+?)\1/gm),
      ([, , name = '']) => `${path.basename(file)}: ${name}`,
    ),
  )
}

async function bundleFiles(): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-inventory-'))
  try {
    await buildServer(folder)
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    return files
      .map((one) => path.relative(folder, path.join(one.parentPath, one.name)))
      .map((name) => name.replace(/-[A-Z0-9]{8}(?=\.mjs)/, '-HASH'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
