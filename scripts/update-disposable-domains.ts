// `node scripts/update-disposable-domains.ts [file-or-address [commit]]`: takes the list of disposable mail domains anew.
// Without words it asks GitHub for the newest one. What is not a list of domains, or has shrunk, is refused.
import { readFileSync, writeFileSync } from 'node:fs'

const FOLDER = new URL('../server/src/tenancy/signup/disposable/', import.meta.url)
const REPOSITORY = 'disposable-email-domains/disposable-email-domains'
const FILE = 'disposable_email_blocklist.conf'
// Whoever has one of these has a mailbox of their own: a list that names one would shut out half of the world.
const NEVER = [
  'gmail.com',
  'outlook.com',
  'hotmail.com',
  'yahoo.com',
  'icloud.com',
  'proton.me',
  'mail.ru',
  'example.com',
]

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/

async function newestCommit(): Promise<string> {
  const answer = await fetch(`https://api.github.com/repos/${REPOSITORY}/commits?per_page=1&path=${FILE}`)
  const [newest] = (await answer.json()) as { sha?: string }[]
  if (!/^[0-9a-f]{40}$/.test(newest?.sha ?? '')) throw new Error('GitHub named no commit.')
  return newest?.sha ?? ''
}

async function read(place: string): Promise<string> {
  if (!/^https:/.test(place)) return readFileSync(place, 'utf8')
  const answer = await fetch(place)
  if (!answer.ok) throw new Error(`${place} answered ${answer.status}.`)
  return await answer.text()
}

function domainsIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim().toLowerCase())
  const domains = [...new Set(lines.filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('//')))]
  const wrong = domains.filter((domain) => !DOMAIN.test(domain))
  if (wrong.length > 0) throw new Error(`Not a domain: ${wrong.slice(0, 5).join(', ')}`)
  const blocked = NEVER.filter((domain) => domains.includes(domain))
  if (blocked.length > 0) throw new Error(`The list names ${blocked.join(', ')}: look at it before you take it.`)
  return domains.sort()
}

const [given, named] = process.argv.slice(2)
const commit = named ?? (given === undefined ? await newestCommit() : undefined)
const domains = domainsIn(await read(given ?? `https://raw.githubusercontent.com/${REPOSITORY}/${commit}/${FILE}`))

const list = new URL('domains.txt', FOLDER)
const before = read(list.pathname).then(
  (text) => text.trim().split('\n').length,
  () => 0,
)
if (domains.length < (await before) * 0.9) throw new Error(`Only ${domains.length} domains: the list has shrunk.`)
writeFileSync(list, `${domains.join('\n')}\n`)
if (commit !== undefined) {
  const source = new URL('SOURCE.md', FOLDER)
  writeFileSync(source, readFileSync(source, 'utf8').replace(/^- Commit: .*$/m, `- Commit: ${commit}`))
}
console.log(`${domains.length} domains.`)
