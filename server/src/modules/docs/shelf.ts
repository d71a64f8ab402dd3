// Which pages there are, in which order, and at which address: the Markdown of the repository, as it stands there.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { member } from '../../kernel/json/index.ts'

const ROOT = new URL('../../../../', import.meta.url)

export type Group = (typeof GROUPS)[number]
export type Page = { readonly file: string; readonly address: string; readonly group: Group }

const GROUPS = ['Start', 'Build', 'Operate', 'Reference', 'The project'] as const

/** What is read first stands first. A page of `docs/` that is not named here stands at the end of its group. */
const ORDER: Readonly<Record<Group, readonly string[]>> = {
  Start: [
    'README.md',
    'docs/guides/shop.md',
    'docs/guides/clinic.md',
    'docs/guides/import.md',
    'docs/guides/agent.md',
    'docs/guides/provider.md',
    'docs/guarantees.md',
  ],
  Build: [
    'docs/tools.md',
    'docs/import.md',
    'docs/direct-calls.md',
    'docs/receiving-calls.md',
    'sdk/README.md',
    'docs/actions.md',
    'docs/inbox.md',
    'docs/chat.md',
    'docs/widget.md',
    'docs/handoff.md',
    'docs/knowledge.md',
    'docs/vocabulary.md',
    'docs/github-action.md',
    'docs/mcp.md',
    'docs/events.md',
    'docs/slack.md',
    'docs/providers.md',
    'docs/previews.md',
  ],
  Operate: [
    'docs/operations.md',
    'docs/deploy.md',
    'docs/reliability.md',
    'docs/scale.md',
    'docs/security.md',
    'docs/security-asvs.md',
    'docs/security-asvs-2.md',
    'docs/sign-up.md',
    'docs/models.md',
  ],
  Reference: [
    'docs/reference/errors.md',
    'docs/reference/headers.md',
    'docs/reference/access.md',
    'docs/reference/settings.md',
  ],
  'The project': ['GLOSSARY.md', 'HOUSE.md', 'STYLE.md', 'CONTRIBUTING.md', 'docs/dependencies.md', 'CHANGELOG.md'],
}

const FOLDERS: Readonly<Record<string, Group>> = {
  'docs/guides': 'Start',
  docs: 'Build',
  'docs/reference': 'Reference',
  'docs/decisions': 'The project',
}

/** The text of a file of the repository, the names in a folder, or null where this deployment has neither. */
export function readSource(file: string): string | null {
  const at = new URL(file, ROOT)
  if (!at.href.startsWith(ROOT.href) || !existsSync(at)) return null
  return statSync(at).isDirectory() ? `${readdirSync(at).sort().join('\n')}\n` : readFileSync(at, 'utf8')
}

export const readImage = (file: string): Buffer => readFileSync(new URL(file, ROOT))

export function openShelf(): readonly Page[] {
  const found = readdirSync(new URL('docs/', ROOT), { recursive: true })
    .map((name) => `docs/${String(name).replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md'))
    .sort()
  const named = new Set(Object.values(ORDER).flat())
  const rest = Map.groupBy(
    found.filter((file) => !named.has(file)),
    (file) => member(FOLDERS, file.slice(0, file.lastIndexOf('/'))) ?? 'Build',
  )
  return GROUPS.flatMap((group) =>
    [...ORDER[group], ...(rest.get(group) ?? [])]
      .filter((file) => existsSync(new URL(file, ROOT)))
      .map((file) => ({ file, group, address: addressOf(file) })),
  )
}

/** `docs/reference/errors.md` is at `/docs/reference/errors`, the first page at `/docs`, and what stands elsewhere beside it. */
function addressOf(file: string): string {
  if (file === 'README.md') return '/docs'
  if (file.startsWith('docs/')) return `/${file.slice(0, -'.md'.length)}`
  return `/docs/${file.replace(/(\/README)?\.md$/, '').toLowerCase()}`
}
