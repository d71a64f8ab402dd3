// Every setting of the service. For a new section, add a declaration beside the others and one line here.

import { ai } from './sections/ai.ts'
import { plans } from './sections/assistant.ts'
import { catalog } from './sections/catalog.ts'
import { database } from './sections/database.ts'
import { demo } from './sections/demo.ts'
import { embed } from './sections/embed.ts'
import { events } from './sections/events.ts'
import { http } from './sections/http.ts'
import { knowledge } from './sections/knowledge.ts'
import { log } from './sections/log.ts'
import { mail } from './sections/mail.ts'
import { notifications } from './sections/notifications.ts'
import { outbound } from './sections/outbound.ts'
import { preview, previewSandbox } from './sections/preview.ts'
import { encryption, operator } from './sections/secrets.ts'
import { signup } from './sections/signup.ts'
import { toolTransport } from './sections/tool-transport.ts'
import { account, forwarding, rateLimit, redis } from './sections/traffic.ts'
import { userSessions } from './sections/user-sessions.ts'
import { work } from './sections/work.ts'
import type { AnySetting, Members, SettingValues } from './setting.ts'
import { setting } from './setting.ts'
import { oneOf } from './shapes.ts'

export const schema = {
  environment: setting(oneOf('Development', 'Production'), {
    default: 'Development',
    meaning:
      'Development runs at once and allows what a local trial needs. Production refuses to start if anything is unsafe or missing.',
  }),
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
