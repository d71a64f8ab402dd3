// `npm run recover -- --since TIME`: after a database that lost its last transactions, finds the writes that businesses performed
// and that it does not know.
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { askedOrExit, complain, Unusable } from '../../kernel/command/index.ts'
import type { Command } from '../../module.ts'
import { ClaimsUnreadable, readClaims } from './claims-file.ts'
import type { Finding } from './compare.ts'
import { type Found, openRecovery, type Recovered, type Recovery } from './recover.ts'

const USAGE = `Finds the writes that businesses performed and that this database does not know, after it lost its last transactions.

  npm run recover -- --since TIME [--tenant ID]... [--settle]
  npm run recover -- --since TIME --tenant ID --file CLAIMS.csv [--settle]

--since   a time with its zone, such as 2026-11-23T09:30:00Z: well before the failover
--tenant  asks the endpoint of this workspace alone
--file    compares the claims in this file, which the business has written, and asks nobody
--settle  reconciles the writes that are indeterminate here and decided there; nothing else is ever changed

Standard output: one line of JSON for each write that was found. What it means, and what was not asked, goes to standard error.
Exit code: 0 nothing was found, 1 something was found, 2 nothing was found, but not everything could be compared.`

const MEANS: Readonly<Record<Finding, string>> = {
  performed_and_unknown:
    'performed by the business, and unknown here. Tell its people: nothing here says that it happened, and proposing it again may do it twice.',
  performed_and_stands_otherwise:
    'performed by the business, and standing here as something else. Where it is "pending", a confirm gets the first answer again; where it is "indeterminate", a reconcile does, and so does --settle. Tell its people of the others.',
  refused_and_stands_otherwise:
    'refused by the business, and standing here as something else. Where it is "indeterminate", reconcile it, or use --settle. Tell its people of the others.',
  cannot_tell:
    'of which neither side knows the end: the claim was left open, it is still executing here, or an older receiver did not say whose it is. Look at the business.',
}

type Asked = {
  readonly since: Date
  readonly tenantIds: readonly number[] | null
  readonly file: string | undefined
  readonly settle: boolean
}

const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

/** Undefined where only the usage was asked for. */
function readAsked(args: readonly string[]): Asked | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      since: { type: 'string' },
      tenant: { type: 'string', multiple: true, default: [] },
      file: { type: 'string' },
      settle: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const { since = '', tenant, file, settle } = values
  if (!ZONED.test(since) || Number.isNaN(Date.parse(since)))
    throw new Unusable(`--since takes a time with its zone, such as 2026-11-23T09:30:00Z, and not "${since}".`)
  for (const id of tenant)
    if (!/^[1-9]\d{0,8}$/.test(id)) throw new Unusable(`--tenant takes the id of a workspace, not "${id}".`)
  if (file !== undefined && tenant.length !== 1)
    throw new Unusable('--file needs the one --tenant whose claims it holds.')
  return { since: new Date(since), tenantIds: tenant.length === 0 ? null : tenant.map(Number), file, settle }
}

async function* recovered(recovery: Recovery, asked: Asked): AsyncGenerator<Recovered> {
  const { file, tenantIds, since, settle } = asked
  if (file === undefined) {
    yield* recovery.ask({ since, tenantIds, settle })
    return
  }
  const [tenantId = 0] = tenantIds ?? []
  try {
    const claims = readClaims(await readFile(file, 'utf8'), { tenantId, since })
    const found = await recovery.compare({ tenantId, claims, settle })
    if (found === null) throw new Unusable(`There is no workspace ${tenantId}.`)
    yield found
  } catch (error) {
    const isFault = !(error instanceof ClaimsUnreadable) && (error as NodeJS.ErrnoException).syscall === undefined
    throw isFault ? error : new Unusable(`${file} cannot be compared. ${(error as Error).message}`)
  }
}

const written = ({ claimedAt, ...found }: Found): string =>
  JSON.stringify({ ...found, claimedAt: claimedAt.toISOString() })

type Sums = { compared: number; lostRefusals: number; unable: number; readonly findings: Map<Finding, number> }

async function run(recovery: Recovery, asked: Asked): Promise<number> {
  const sums: Sums = { compared: 0, lostRefusals: 0, unable: 0, findings: new Map() }
  const heard = new Set<number>()
  for await (const { tenantId, compared, lostRefusals, found, unable } of recovered(recovery, asked)) {
    heard.add(tenantId)
    sums.compared += compared
    sums.lostRefusals += lostRefusals
    if (unable.length > 0) sums.unable++
    for (const why of unable) complain(`Workspace ${tenantId}: ${why}`)
    for (const one of found) {
      process.stdout.write(`${written(one)}\n`)
      sums.findings.set(one.finding, (sums.findings.get(one.finding) ?? 0) + 1)
    }
  }
  for (const tenantId of asked.tenantIds ?? []) {
    if (heard.has(tenantId)) continue
    sums.unable++
    complain(`Workspace ${tenantId} was not asked: there is no workspace of this id, or it has no endpoint.`)
  }
  return told(sums)
}

function told({ compared, lostRefusals, unable, findings }: Sums): number {
  complain(compared === 1 ? '1 write was compared.' : `${compared} writes were compared.`)
  for (const [finding, count] of findings) complain(`${finding}: ${count} ${MEANS[finding]}`)
  if (lostRefusals > 0) complain(`${lostRefusals} more are unknown here and were refused there: nothing was done.`)
  if (unable > 0)
    complain(`${unable} ${unable === 1 ? 'workspace' : 'workspaces'} could not be compared, or not wholly.`)
  if (findings.size > 0) return 1
  return unable > 0 ? 2 : 0
}

export const recoverWrites: Command = async (args, open) => {
  const asked = askedOrExit(USAGE, () => readAsked(args))
  const { house, rooms, close } = await open()
  const exitCode = await run(openRecovery(house, rooms), asked).catch((error: Error) => {
    complain(error instanceof Unusable ? error.message : `Not everything could be compared. ${error.message}`)
    return 2
  })
  await close()
  return exitCode
}
