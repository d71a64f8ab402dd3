// `npm run generate` writes the reference pages that come from the code; with --check it only says which are stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  CONFIRM_STATUSES,
  ERROR_MEANINGS,
  ERRORS,
  type ErrorCode,
  KEY_PREFIXES,
  type KeyKind,
  NOT_STAGED,
  REQUEST_HEADERS,
} from '@tether/contract'
import { everyRoute } from '../server/src/all-routes.ts'
import { openApiDocument } from '../server/src/api/reference/index.ts'
import { settingsReference } from '../server/src/kernel/settings/index.ts'
import { type CiTerms, headersReadBy, kindsReaching, type Route } from '../server/src/tenancy/access/index.ts'
import { VERSION } from '../server/src/version.ts'
import { buildMore, buildWidget } from '../widget/build.ts'
import { buildAction } from './build-action.ts'
import { buildCli } from './build-cli.ts'
import { buildSdk, sdkTypes } from './build-sdk.ts'
import { sdkOperations } from './sdk-operations.ts'

const INFO = { version: VERSION, url: 'http://127.0.0.1:8787' }
const routes = everyRoute(INFO)

const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/reference/settings.md': () => settingsReference('service'),
  'docs/reference/settings-assistant.md': () => settingsReference('assistant'),
  'docs/reference/access.md': accessPage,
  'docs/reference/errors.md': errorsPage,
  'docs/reference/headers.md': headersPage,
  'widget/dist/service-assistant.js': buildWidget,
  'sdk/src/operations.ts': () => sdkOperations(openApiDocument(routes, INFO)),
  'widget/dist/service-assistant-more.js': buildMore,
  'action/dist/index.mjs': buildAction,
  'cli/dist/tether.js': buildCli,
  'sdk/dist/index.js': buildSdk,
  'docs/reference/openapi.json': () => `${JSON.stringify(openApiDocument(routes, INFO), null, 2)}\n`,
}

const MADE = '<!-- Made by `npm run generate` from the code. Change the code, not this page. -->\n'

function reaches({ reach }: Route, kind: KeyKind | 'operator' | 'none'): string {
  if (reach.who === 'anyone') return '✓'
  if (reach.who === 'operator') return kind === 'operator' ? '✓' : ''
  if (reach.who !== 'tenant' || kind === 'operator' || kind === 'none') return ''
  if (isCi(kind) && reach.ci !== undefined) return ciCell(kind, reach.ci)
  if (kindsReaching(reach).includes(kind)) return '✓'
  return reach.withSession?.includes(kind) === true ? 'session' : ''
}

const isCi = (kind: string): kind is 'ci' | 'ci_replace' => kind === 'ci' || kind === 'ci_replace'

const ciCell = (kind: 'ci' | 'ci_replace', { source, draftWithout, replace }: CiTerms): string =>
  [
    '✓',
    ...(source === true ? ['source'] : []),
    ...(draftWithout === undefined ? [] : ['draft']),
    ...(replace === true && kind === 'ci' ? ['new'] : []),
  ].join(' ')

function accessPage(): string {
  const kinds = [...(Object.keys(KEY_PREFIXES) as KeyKind[]), 'operator', 'none'] as const
  const rows = routes.map((route) => {
    const cells = kinds.map((kind) => reaches(route, kind))
    return `| \`${route.method} ${route.path}\` | ${route.lane} | ${cells.join(' | ')} |`
  })
  return [
    MADE,
    '# What each kind of key reaches',
    '',
    'The table is closed: a kind that a route does not name is refused, and so is every kind on a route added later.',
    '`session` means: with a signed-in person’s session beside the key. Of a CI key, `source` means: with the repository in `source`',
    '(`ci_source_required`), `draft`: its first, drafting call only (`ci_draft_only`), `new`: without `replace` (`ci_replace_not_allowed`).',
    '',
    `| route | lane | ${kinds.join(' | ')} |`,
    `|---|---|${kinds.map(() => '---').join('|')}|`,
    ...rows,
    '',
  ].join('\n')
}

function headersPage(): string {
  const listed = routes.filter(({ unlisted }) => unlisted !== true)
  const rows = Object.entries(REQUEST_HEADERS).map(([name, { description }]) => {
    const readers = listed.filter((route) => headersReadBy(route).some((one) => one === name))
    return `| \`${name}\` | ${description} | ${readers.map(({ method, path }) => `\`${method} ${path}\``).join(', ')} |`
  })
  return [
    MADE,
    '# Request headers',
    '',
    'The key goes into `X-Api-Key`, or into `Authorization: Bearer`. These are the other headers that routes read:',
    '',
    '| header | what it says | read by |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function errorsPage(): string {
  const rows = Object.entries(ERROR_MEANINGS).map(
    ([code, { happened, next }]) => `| \`${code}\` | ${ERRORS[code as ErrorCode]} | ${happened} | ${next} |`,
  )
  // A status with several codes is named in the first of its rows.
  const confirms = Object.entries(CONFIRM_STATUSES).flatMap(([status, { http, codes }]) =>
    Object.entries(codes).map(([code, { happened, next }], place) => {
      const head = place === 0 ? `| \`${status}\` | ${http} |` : '| | |'
      return `${head} ${code === 'none' ? '' : `\`${code}\``} | ${happened} | ${next} |`
    }),
  )
  const notStaged = Object.entries(NOT_STAGED).map(
    ([status, { http, happened, next }]) => `| \`${status}\` | ${http} | ${happened} | ${next} |`,
  )
  return [
    MADE,
    '# Error codes',
    '',
    'A refusal is `{"error":{"code","message","reason"?}}`. The message says what to do; a program reads the code. A catalog, an import and an MCP server that are refused answer `error` as a text, with their faults beside it, and an action answers its `status`.',
    '',
    '| code | status | what happened | what to do |',
    '|---|---|---|---|',
    ...rows,
    '',
    '## What a confirm, a reject and a reconcile answer',
    '',
    'The body has `status`, `errorCode` and `errorMessage`. Both sets are closed: a program may rely on there being no other.',
    'A confirm that timed out on its way to us is not in this table: read the action before you do anything else.',
    '',
    '| `status` | HTTP | `errorCode` | what happened | what to do |',
    '|---|---|---|---|---|',
    ...confirms,
    '',
    '## Why a write was not staged',
    '',
    'The body has `status`. That of an unknown tool and of an invalid request has an `error` too, with the same word as its `code`; the others have the reason as `message`.',
    '',
    '| `status` | HTTP | what happened | what to do |',
    '|---|---|---|---|',
    ...notStaged,
    '',
  ].join('\n')
}

const stale: string[] = []
for (const [file, make] of Object.entries(pages)) put(file, await make())
// The types of the SDK are made from its sources, which are written by now.
for (const [file, text] of Object.entries(sdkTypes())) put(file, text)

function put(file: string, made: string): void {
  if (read(file) === made) return
  stale.push(file)
  if (process.argv.includes('--check')) return
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, made)
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

for (const file of stale) {
  console.log(process.argv.includes('--check') ? `${file} is stale: run \`npm run generate\`.` : `wrote ${file}`)
}
process.exitCode = process.argv.includes('--check') && stale.length > 0 ? 1 : 0
