import type { SettingReading, Settings } from '../settings/index.ts'
import { VERSION } from '../version.ts'

type Shown = {
  readonly settings: Settings
  readonly sources: readonly SettingReading[]
  readonly port: number
  readonly hasDemo: boolean
}

/** What a newcomer needs to see: where it runs, the next line to paste, and what is only for trying out. */
export function developmentScreen({ settings, sources, port, hasDemo }: Shown): string {
  const url =
    settings.http.port === port ? settings.http.publicUrl : settings.http.publicUrl.replace(/:\d+$/, `:${port}`)
  const { url: databaseUrl, dataDirectory } = settings.database
  const lines = [
    '',
    `  Tether ${VERSION} · Development`,
    '',
    `  API         ${url}`,
    `  Reference   ${url}/swagger`,
    `  Database    ${databaseUrl === undefined ? `embedded, in ${dataDirectory}` : 'PostgreSQL, as Database:Url says'}`,
    '',
    ...(hasDemo ? demoLines(url) : []),
    '  Paste this into another terminal: it creates a workspace and answers its first key.',
    '',
    `  ${firstKey(url, settings, sources)}`,
    '',
    '  Then use that key:',
    '',
    `  curl -s ${url}/v1/account -H "X-Api-Key: <apiKey>"`,
    '',
    '  For trying out only: the secrets were generated and lie beside the data, mail is written here instead',
    '  of being sent, and tools may be called over plain http and at private addresses. Production refuses',
    '  all of that (docs/operations.md).',
    '',
    '  Stop with Ctrl-C.',
    '',
  ]
  return `${lines.join('\n')}\n`
}

const demoLines = (url: string): string[] => {
  // Under the other name of this machine, so that the page is of another origin than the service, as it is with everybody.
  const page = url.replace('127.0.0.1', 'localhost')
  return [
    `  Demo shop   ${page}/demo         ask: "where is order A-17?"  then: "refund it"`,
    `  Its desk    ${page}/demo/desk    confirm what waits there, and read the audit line`,
    '',
  ]
}

/** By sign-up, as anybody would; where that is closed, as the operator. */
function firstKey(url: string, { signup }: Settings, sources: readonly SettingReading[]): string {
  return signup.enabled
    ? `curl -s ${url}/v1/signup -d '{"email":"you@example.com","name":"My shop"}'`
    : `curl -s ${url}/v1/tenants -H "X-Api-Key: ${operatorKey(sources)}" -d '{"name":"My shop"}'`
}

/** The key itself is never printed: the line reads it from where it lies. */
function operatorKey(sources: readonly SettingReading[]): string {
  const source = sources.find(({ name }) => name === 'Operator:ApiKey')?.source ?? ''
  return source.includes('Operator-ApiKey') ? `$(cat ${source})` : '$OPERATOR_KEY'
}
