// Every setting of the service. A new section is declared here, or in a file of `sections/`, and named in `schema`.

import { ai } from './sections/ai.ts'
import { plans } from './sections/assistant.ts'
import { database } from './sections/database.ts'
import { events } from './sections/events.ts'
import { http } from './sections/http.ts'
import { mail } from './sections/mail.ts'
import { preview, previewSandbox } from './sections/preview.ts'
import { encryption, operator } from './sections/secrets.ts'
import { signup } from './sections/signup.ts'
import { toolTransport } from './sections/tool-transport.ts'
import { account, forwarding, rateLimit, redis } from './sections/traffic.ts'
import { type AnySetting, type Members, type SettingValues, section } from './setting.ts'
import { decimal, domain, flag, listOf, oneOf, privatePlace, publicUrl, whole } from './shapes.ts'

const work = section('Work', 'The regular work: deadlines, events, and what dead processes left behind.', {
  inProcess: flag(true).describe(
    'Whether a process that serves also does the regular work. False leaves it to the processes of `npm run work`.',
  ),
})

const demo = section('Demo', 'The demo shop that comes with Development.', {
  enabled: flag(true).describe(
    'Whether the demo shop opens beside the service. It only does in Development, and only if the service listens on this machine alone.',
  ),
})

const log = section('Log', 'What the service writes to standard output.', {
  level: oneOf('debug', 'info', 'warn', 'error', 'silent')
    .default('info')
    .describe('The lowest level that is written.'),
  format: oneOf('auto', 'json', 'pretty')
    .default('auto')
    .describe(
      'The format: json writes one JSON object per line, pretty writes lines for people, auto is pretty on a terminal and json elsewhere.',
    ),
  colors: flag(true).describe(
    'Whether pretty lines on a terminal have colours. A NO_COLOR variable that is not empty turns them off.',
    { alias: { variable: 'NO_COLOR', convert: (raw) => (raw === '' ? undefined : 'false') } },
  ),
})

// How people sign in to the inbox, and for how long.

const WEEK_IN_MINUTES = 10_080
const MONTH_IN_HOURS = 744

const userSessions = section('UserSessions', 'How people sign in, and for how long.', {
  linkLifetimeMinutes: decimal(0.001, WEEK_IN_MINUTES, 15).describe('How long a mailed link to sign in works.'),
  lifetimeHours: decimal(0.001, MONTH_IN_HOURS, 12).describe(
    'How long a session lasts at most, however much it is used.',
  ),
  idleMinutes: decimal(0.001, WEEK_IN_MINUTES, 120).describe('How long a session that nobody uses lasts.'),
})

const outbound = section('Outbound', 'What the service may reach besides the public internet.', {
  allowedPrivate: listOf(privatePlace, 'host names and private addresses or ranges')
    .default([])
    .describe(
      'Private hosts and networks that tool calls and events may reach, still over HTTPS. A name opens itself alone. Pictures, site checks and crawls never reach them.',
      {
        advise: (places) =>
          places === undefined || places.length === 0
            ? undefined
            : `Every workspace can have tool calls and events sent to ${places.join(', ')}. List no more than your own endpoints need.`,
      },
    ),
})

const notifications = section('Notifications', 'Where workspaces are told of what waits, besides mail.', {
  slack: section('Slack', 'Messages of Slack, in which people decide.', {
    apiUrl: publicUrl
      .default('https://slack.com/api')
      .describe('Where the methods of Slack are called. Bot tokens are sent there, and nowhere else.'),
  }),
  teams: section('Teams', 'Cards of Microsoft Teams, whose links lead to the inbox.', {
    hosts: listOf(domain, 'domains')
      .default(['api.powerplatform.com', 'logic.azure.com', 'webhook.office.com'])
      .describe(
        'The domains under which the workflows of Teams are. A workspace can have cards sent to no other host.',
      ),
  }),
})

const knowledge = section('Knowledge', 'The documents from which the assistant answers.', {
  enabled: flag(true).describe('Whether workspaces may have documents.'),
  maxDocuments: whole(1, 10_000, 20).describe('The most documents of one workspace.'),
  maxDocumentChars: whole(100, 1_000_000, 50_000).describe('The longest document, in Unicode code points.'),
  chunkChars: whole(100, 10_000, 900).describe(
    'The longest piece in which a document is found and quoted, in characters. A change counts for documents written after it.',
  ),
  chunkOverlapChars: whole(0, 1000, 120).describe(
    'How much of the piece before each piece repeats, in characters. At most half of Knowledge:ChunkChars counts.',
  ),
  cacheBytes: whole(1_048_576, 1_099_511_627_776, 67_108_864).describe(
    'How much memory of each process holds documents that are in use, in bytes.',
  ),
})

const catalog = section('Catalog', 'The tools that workspaces register.', {
  keepBytes: whole(33_554_432, 1_099_511_627_776, 67_108_864).describe(
    'How many bytes of catalogs of one workspace are stored. Beyond that, documents of old versions are deleted, the oldest first; that they were registered stays known.',
  ),
})

const embed = section('Embed', 'How a page with the widget is checked.', {
  checkTimeoutSeconds: decimal(0.1, 60, 8).describe(
    'How long the whole check may take, including redirects and the same site with or without www.',
  ),
  checkMaxBytes: whole(1024, 67_108_864, 524_288).describe(
    'The most bytes that are read of a page. The check judges those, and reports that a larger page was cut.',
  ),
})

export const schema = {
  environment: oneOf('Development', 'Production')
    .default('Development')
    .describe(
      'Development runs at once and allows what a local trial needs. Production refuses to start if anything is unsafe or missing.',
    ),
  http,
  database,
  operator,
  encryption,
  redis,
  rateLimit,
  account,
  forwarding,
  signup,
  mail,
  notifications,
  embed,
  userSessions,
  toolTransport,
  outbound,
  catalog,
  knowledge,
  preview,
  previewSandbox,
  ai,
  plans,
  events,
  work,
  demo,
  log,
} as const satisfies Members

export type Settings = SettingValues<typeof schema>

/** A setting with its full name. `rateLimit.runtimePerMinute` in the code is `RateLimit:RuntimePerMinute` for people. */
export type DeclaredSetting = { readonly name: string; readonly setting: AnySetting; readonly group: Group }

export type Group = { readonly name: string; readonly meaning: string }

/** The rule for names: the names of the sections, then the key with a capital first letter. */
export const fullName = (sections: readonly string[], key: string): string =>
  [...sections, key.charAt(0).toUpperCase() + key.slice(1)].join(':')

function* walk(members: Members, sections: readonly string[], group: Group): Generator<DeclaredSetting> {
  for (const [key, member] of Object.entries(members)) {
    if (member.type === 'section') {
      const names = [...sections, member.name]
      yield* walk(member.members, names, { name: names.join(':'), meaning: member.meaning })
    } else {
      yield { name: fullName(sections, key), setting: member, group }
    }
  }
}

const top: Group = { name: 'General', meaning: 'What kind of deployment this is.' }

export const everySetting: readonly DeclaredSetting[] = [...walk(schema, [], top)]
