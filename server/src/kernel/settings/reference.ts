// Makes the reference page of settings from the declarations that the service reads.
import { KNOWN_NAMES } from './names.ts'
import { type DeclaredSetting, everySetting, type Group } from './schema.ts'
import type { EnvironmentName } from './setting.ts'
import { foldName, fromJson, type SettingSource, tableOf } from './sources.ts'

type ProfileTexts = { readonly [Name in EnvironmentName]: string }

type Profiles = readonly { readonly name: EnvironmentName; readonly source: SettingSource }[]

const INTRODUCTION = `# Settings

This page is generated from the settings of the service. Do not edit it.

A setting has a name such as \`RateLimit:RuntimePerMinute\`. Its value comes from these sources, and a later one wins:

1. its default,
2. the profile of the environment (\`config/development.json\`, \`config/production.json\`),
3. the JSON file that the environment variable \`CONFIG_FILE\` names,
4. an environment variable with another name, if the table gives one (\`PORT\`),
5. the environment variable with the setting's name, with \`__\` in place of \`:\` (\`RateLimit__RuntimePerMinute=5\`, in upper or lower case).

In a JSON file, settings are nested objects, \`{"RateLimit": {"RuntimePerMinute": 5}}\`, or flat names, \`{"RateLimit:RuntimePerMinute": 5}\`.
A key that starts with \`//\` is a remark. A list in an environment variable is comma-separated. If a value has the wrong shape, the service does not start
and reports all faults together; an unknown name is a warning. \`npm run settings\` prints every value with its source and masks secrets.
[Settings of the assistant](settings-assistant.md), \`AI:…\` and \`Plans:…\`, have a page of their own.
`

const ABOUT_ASSISTANT = `# Settings of the assistant

This page is generated from the settings of the service. Do not edit it.

What the assistant may do and what it costs: its models, its chat, its memory, and what each plan includes. [Settings](settings.md) says where a value comes from, and has all others.
`

/** Two pages, so that neither is long: what is of the assistant, and all else. */
export type SettingsPart = 'service' | 'assistant'
const partOf = ({ name }: Group): SettingsPart => (/^(AI|Plans)\b/.test(name) ? 'assistant' : 'service')

export function settingsPage(texts: ProfileTexts, part: SettingsPart): string {
  const profiles = (['Development', 'Production'] as const).map((name) => {
    const findings = { faults: [], warnings: [] }
    return { name, source: tableOf(fromJson(texts[name], name, KNOWN_NAMES, findings), KNOWN_NAMES, findings) }
  })
  const groups = [...Map.groupBy(everySetting, ({ group }) => group)].filter(([group]) => partOf(group) === part)
  return [
    part === 'service' ? INTRODUCTION : ABOUT_ASSISTANT,
    ...groups.map(([group, members]) => groupPart(group, members, profiles)),
  ].join('\n')
}

const groupPart = (group: Group, members: readonly DeclaredSetting[], profiles: Profiles): string =>
  [
    `## ${group.name}`,
    '',
    group.meaning,
    '',
    '| Setting | Value | Default | Meaning |',
    '|---|---|---|---|',
    ...members.map((declared) => row(declared, profiles)),
    '',
  ].join('\n')

function row(declared: DeclaredSetting, profiles: Profiles): string {
  const { name, setting } = declared
  const cells = [
    `\`${name}\``,
    `${setting.shape.expects}${setting.shape.secret ? ' (secret)' : ''}`,
    defaults(declared, profiles),
    [setting.meaning, ...alsoFrom(declared), ...production(declared)].join(' '),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function defaults({ name, setting }: DeclaredSetting, profiles: Profiles): string {
  const own = ownDefault(setting)
  const others = profiles.flatMap(({ name: profile, source }) => {
    const entry = source.get(foldName(name))
    return entry ? [`${profile}: \`${String(entry.raw)}\``] : []
  })
  const made = setting.development ? ['Development: generated once and kept'] : []
  return [own, ...others, ...made].join('; ')
}

function ownDefault({ absent, shape }: DeclaredSetting['setting']): string {
  if (absent.is === 'derived') return `\`${absent.words}\``
  const shown = absent.is === 'value' ? shape.show(absent.value) : ''
  return shown === '' ? 'none' : `\`${shown}\``
}

const alsoFrom = ({ setting }: DeclaredSetting): string[] =>
  setting.alias ? [`Also read from \`${setting.alias.variable}\`.`] : []

function production({ setting }: DeclaredSetting): string[] {
  const everywhere = setting.absent.is === 'refused' || setting.needed?.everywhere === true
  const when = setting.needed?.unless === undefined || setting.needed.everywhere !== true ? '' : ' if it is used'
  const needed = setting.needed
    ? [everywhere ? `Required${when}.` : 'Required in Production.', setting.needed.make]
    : []
  return setting.unsafe ? [...needed, `Production does not start if ${setting.unsafe.when}.`] : needed
}
