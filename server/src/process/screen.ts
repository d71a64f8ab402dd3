import type { SettingReading, Settings } from '../kernel/settings/index.ts'
import { VERSION } from '../version.ts'
import type { OpenDemo } from './demo.ts'

type Screen = {
  readonly settings: Settings
  readonly sources: readonly SettingReading[]
  readonly port: number
  readonly demo: Pick<OpenDemo, 'signInLink' | 'workshopUrl'> | null
}

/** Tells a newcomer where the service runs, which line to paste next, and what is only for trying it out. */
export function developmentScreen({ settings, sources, port, demo }: Screen): string {
  const url = urlAt(settings.http, port)
  const { url: databaseUrl, dataDirectory } = settings.database
  const lines = [
    '',
    `  Tether ${VERSION} · Development`,
    '',
    `  API         ${url}`,
    `  Documents   ${url}/docs`,
    `  Reference   ${url}/swagger`,
    `  Database    ${databaseUrl === undefined ? `embedded, in ${dataDirectory}` : 'PostgreSQL, as Database:Url says'}`,
    ...(settings.ai.provider.kind === 'offline'
      ? ['  Model       none is set up: answers come from matching words (docs/models.md)']
      : []),
    '',
    ...(demo === null ? [] : demoLines(url, demo)),
    '  Paste this into another terminal. It creates a workspace and returns its first key.',
    '',
    `  ${firstKey(url, settings, sources)}`,
    '',
    '  Then use that key:',
    '',
    `  curl -s ${url}/v1/account -H "X-Api-Key: <apiKey>"`,
    '',
    ...(settings.mail.transport === 'console'
      ? [
          '  This is for trying Tether out. Its secrets were generated and are stored beside the data, mail is',
          '  printed here instead of being sent, and tools may use plain http and private addresses. Production',
          '  refuses all of that (docs/operations.md).',
        ]
      : [
          '  This is for trying Tether out. Its secrets were generated and are stored beside the data, and tools',
          '  may use plain http and private addresses. Production refuses all of that (docs/operations.md).',
        ]),
    '',
    '  Stop with Ctrl-C.',
    '',
  ]
  return `${lines.join('\n')}\n`
}

/** With the port that it has, where any free one was asked for. */
export const urlAt = ({ port: asked, publicUrl }: Settings['http'], port: number): string =>
  asked === port ? publicUrl : publicUrl.replace(/:\d+$/, `:${port}`)

/** The page uses this machine's other name, so that its origin differs from the service's, as on any real site. */
export const shopUrl = (url: string): string => `${url.replace('127.0.0.1', 'localhost')}/demo`

const demoLines = (url: string, { signInLink, workshopUrl }: NonNullable<Screen['demo']>): string[] => [
  `  Demo shop   ${shopUrl(url)}`,
  '              sign in as Nino, and ask: "where is order A-17?"  then: "refund it"',
  '  Its inbox   decide there what waits. This link signs you in, once, within a day:',
  `              ${signInLink}`,
  `  Workshop    ${workshopUrl}    an API that the shop imported (docs/guides/import.md)`,
  '',
]

/** The first key comes from sign-up or, if sign-up is closed, from the operator. */
function firstKey(url: string, { signup }: Settings, sources: readonly SettingReading[]): string {
  return signup.enabled
    ? `curl -s ${url}/v1/signup -d '{"email":"you@example.com","name":"My shop"}'`
    : `curl -s ${url}/v1/tenants -H "X-Api-Key: ${operatorKey(sources)}" -d '{"name":"My shop"}'`
}

/** We never print the operator key. The line reads it from its file or from a variable. */
function operatorKey(sources: readonly SettingReading[]): string {
  const source = sources.find(({ name }) => name === 'Operator:ApiKey')?.source ?? ''
  return source.includes('Operator-ApiKey') ? `$(cat ${source})` : '$OPERATOR_KEY'
}
