// `npm run audit:verify -- FILE...`: checks an export of the audit trail without a server, a database or a setting.
import { createReadStream } from 'node:fs'
import { parseArgs } from 'node:util'
import { complain, say } from '../kernel/command/index.ts'
import {
  type Break,
  breakAfter,
  type Chained,
  type ChainLink,
  GENESIS,
  readerUnder,
  readLine,
} from '../writes/audit/index.ts'

/** Where the results and the errors are written, line by line. */
type Output = { readonly say: (line: string) => void; readonly complain: (line: string) => void }

const USAGE = `Checks exports of the audit trail (GET /v1/audit/export), without trusting the service that wrote them.

  npm run audit:verify -- FILE... [--holds ID:HASH]...

FILE    one export, JSON lines or CSV, or several that follow each other
--holds an event and its hash that you kept from an earlier check: the files must contain it, or begin right after it

Exit code: 0 the chain holds, 1 it is broken, 2 it could not be checked.`

const WORDS: Readonly<Record<Break['reason'], string>> = {
  missing: 'is not there.',
  hash_mismatch: 'is not what its hash was made over, or does not follow the event before it.',
  out_of_order: 'stands after a later one.',
  head_mismatch: 'is not the event that was written last.',
}

/** The columns of GET /v1/audit as a file: for people, and without what a chain is checked by. */
const LISTED_HEADER = 'id,occurred_at,action_id,tool,event,user_id,source,payload_hash,subject,reason'
const EXPORT_IT = 'Take the file from GET /v1/audit/export (with Accept: text/csv, if it is to be CSV).'

class Unreadable extends Error {}

type Checked = { readonly events: number; readonly first: Chained; readonly last: ChainLink }

type Read = { readonly event: Chained | undefined; readonly place: string }

/** Every event of every file, with the place to look at when something is wrong with it. */
async function* eventsOf(files: readonly string[]): AsyncGenerator<Read> {
  for (const file of files) {
    let number = 0
    let readRecord: ReturnType<typeof readerUnder>
    /** The beginning of a record whose quotes are still open: a text in it has line ends. */
    let open = ''
    for await (const line of linesOf(file)) {
      number++
      const whole = (open + line).replace(/\r$/, '')
      const place = `${file}, line ${number}`
      if (whole === LISTED_HEADER) throw new Unreadable(`${file} has no hashes. ${EXPORT_IT}`)
      const reader = readerUnder(whole)
      if (reader !== undefined) readRecord = reader
      else if (readRecord !== undefined && isOpen(whole)) open += `${line}\n`
      else if (whole !== '') {
        open = ''
        yield { event: (readRecord ?? readLine)(whole), place }
      }
    }
    if (open !== '') yield { event: undefined, place: `${file}, at its end` }
  }
}

const isOpen = (record: string): boolean => (record.split('"').length - 1) % 2 === 1

/** Not readline, for which a line also ends at U+2028: an event may say one. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  try {
    for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
      const lines = chunk.split('\n')
      lines[0] = rest + lines[0]
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    throw new Unreadable(`${file} cannot be read: ${(error as Error).message}`)
  }
  yield rest
}

/** Throws what is wrong, in words. `kept` loses every event that was found as it was kept. */
async function check(files: readonly string[], kept: Map<number, string>): Promise<Checked | undefined> {
  let first: Chained | undefined
  let link: ChainLink | undefined
  let events = 0
  for await (const { event, place } of eventsOf(files)) {
    if (event === undefined) throw new Error(`${place} is not an event as an export writes it.`)
    const before = link ?? startOf(event)
    hold(before, kept, place)
    const fault = breakAfter(before, event)
    if (fault !== undefined) throw new Error(`Event ${fault.at} ${WORDS[fault.reason]} (${place})`)
    first ??= event
    if (event.tenantId !== first.tenantId) throw new Error(ofAnother(event, first, place))
    link = event
    events++
  }
  if (first === undefined || link === undefined) return undefined
  hold(link, kept, 'at the end')
  return { events, first, last: link }
}

const ofAnother = ({ id, tenantId }: Chained, first: Chained, place: string): string =>
  `Event ${id} is of workspace ${tenantId}, and those before it of workspace ${first.tenantId}. (${place})`

/** The first event of all follows nothing. One that stands first in a file says itself what it follows. */
const startOf = ({ id, previousHash }: Chained): ChainLink => (id <= 1 ? GENESIS : { id: id - 1, hash: previousHash })

/** What a file says it follows counts too: an export that begins after the last one is checked against what was kept of it. */
function hold({ id, hash }: ChainLink, kept: Map<number, string>, place: string): void {
  if ((kept.get(id) ?? hash) !== hash)
    throw new Error(`Event ${id} has another hash than the one you kept: the chain was written anew. (${place})`)
  kept.delete(id)
}

function readKept(given: readonly string[]): Map<number, string> {
  const pairs = given.map((text) => {
    const [, id, hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
    if (id === undefined) throw new Unreadable(`--holds takes ID:HASH, not "${text}".`)
    return [Number(id), hash] as const
  })
  return new Map(pairs)
}

function report({ events, first, last }: Checked, say: Output['say']): void {
  const range = `${events} ${events === 1 ? 'event' : 'events'}, ${first.id} to ${last.id}`
  say(`The chain holds: ${range}. It is of workspace ${first.tenantId}.`)
  if (first.id > 1)
    say(
      `It begins after event ${first.id - 1}, whose hash must be ${first.previousHash}: hold that against an earlier export.`,
    )
  say(`Keep --holds ${last.id}:${last.hash}. Given with a later export, it proves that nothing up to here was changed.`)
}

async function run(args: readonly string[], { say, complain }: Output): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { holds: { type: 'string', multiple: true, default: [] }, help: { type: 'boolean', default: false } },
  })
  if (values.help || positionals.length === 0) {
    complain(USAGE)
    return values.help ? 0 : 2
  }
  const kept = readKept(values.holds)
  const checked = await check(positionals, kept)
  if (checked === undefined) throw new Unreadable('There is no event in these files.')
  const [lost] = kept.keys()
  if (lost !== undefined)
    throw new Error(
      `Event ${lost}, which you kept, is not in these files: they hold ${checked.first.id} to ${checked.last.id}.`,
    )
  report(checked, say)
  return 0
}

/** Returns the exit code. */
export async function verifyAudit(args: readonly string[], output: Output = { say, complain }): Promise<number> {
  try {
    return await run(args, output)
  } catch (error) {
    const { message } = error as Error
    const isUnchecked = error instanceof Unreadable || error instanceof TypeError
    output.complain(isUnchecked ? message : `The chain is broken. ${message}`)
    return isUnchecked ? 2 : 1
  }
}
