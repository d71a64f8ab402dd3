// The composition of `deploy/` with its balancer and its pooler: names lead to what is there, times agree with the settings, and nothing
// secret stands in a file. Nothing here needs a container.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { allStatements } from '../server/src/kernel/db/index.ts'
import { commandsWith, holdsNoSecret, parsed, read, SECRETS, settingsOf } from './deployment.ts'

type Service = {
  readonly image?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly networks?: readonly string[]
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>
  readonly healthcheck?: { readonly disable?: boolean }
  readonly profiles?: readonly string[]
  readonly ports?: readonly string[]
  readonly restart?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly stop_grace_period?: string
}
type Composition = {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<
    Record<
      string,
      {
        readonly internal?: boolean
        readonly ipam?: { readonly config: readonly { readonly subnet: string }[] }
      } | null
    >
  >
  readonly volumes: Readonly<Record<string, unknown>>
}
const composition = parsed<Composition>('compose.yaml')
const services = Object.entries(composition.services)
const filled = (
  text: string,
  from: NodeJS.Dict<string> = { ...SECRETS, PUBLIC_URL: 'https://assistant.example.com' },
): string => text.replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) => from[name] ?? 'x')

const environmentOf = ({ environment = {} }: Service): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)]))

test('the composition names what is in it, and shows the world its balancer alone', () => {
  assert.deepEqual(
    services.map(([name]) => name),
    ['one', 'two', 'worker', 'migrate', 'balancer', 'pooler', 'database', 'limits'],
  )
  for (const [name, { image = '', volumes = [], networks = [], depends_on: after = [], ...service }] of services) {
    for (const other of Array.isArray(after) ? after : Object.keys(after))
      assert.ok(Object.hasOwn(composition.services, other), `${name}: ${other}`)
    for (const network of networks) assert.ok(Object.hasOwn(composition.networks, network), `${name}: ${network}`)
    for (const [from = ''] of volumes.map((volume) => volume.split(':')))
      if (/^[a-z-]+$/.test(from)) assert.ok(Object.hasOwn(composition.volumes, from), `${name}: ${from}`)
      else if (from.startsWith('./')) assert.notEqual(read(from), '', from)
    assert.match(image, /^\$\{TETHER_IMAGE:-tether:local\}$|:v?\d/, `${name} names its version`)
    if (name !== 'migrate') assert.equal(service.restart, 'unless-stopped', name)
    assert.equal(service.ports !== undefined, name === 'balancer', name)
    if (/^postgres|^valkey|^edoburu/.test(image))
      assert.deepEqual(networks, ['inside'], `${name} is nobody’s business outside`)
  }
  assert.equal(composition.networks.inside?.internal, true)
})

test('the instances of the composition start, and stop in the time that they are given', () => {
  for (const [name, service] of services.filter(([, { image }]) => image?.includes('TETHER_IMAGE'))) {
    const { http, work, forwarding } = settingsOf(environmentOf(service), name)
    assert.equal(work.inProcess, false)
    assert.deepEqual(
      forwarding.knownProxies,
      composition.networks.edge?.ipam?.config.map(({ subnet }) => subnet),
    )
    assert.ok(
      Number.parseInt(service.stop_grace_period ?? '', 10) >= http.drainSeconds + http.shutdownSeconds + 5,
      name,
    )
    assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']], name)
    // The image asks at a port that only an instance has.
    assert.equal(service.healthcheck?.disable === true, name === 'worker' || name === 'migrate', name)
  }
})

test('the balancer asks whether an instance is ready, and sends nothing twice', () => {
  const text = read('haproxy.cfg')
  const { balancer, one } = composition.services
  const { http, ai } = settingsOf(environmentOf(one ?? {}), 'one')
  assert.deepEqual(
    [...text.matchAll(/^ {2}server \w+ "\$\{(\w+)\}"/gm)].map(([, name = '']) => balancer?.environment?.[name]),
    [`one:${http.port}`, `two:${http.port}`],
  )
  assert.match(text, /^ {2}http-check send meth GET uri \/ready$/m)
  assert.match(text, /^ {2}retry-on conn-failure$/m)
  // To the service, /%72eady is the same path.
  assert.match(text, /^ {2}http-request return status 404 if \{ path,url_dec -m beg \/ready \}$/m)
  const [, every = '', falls = ''] = /check inter (\d+)s fall (\d+)/.exec(text) ?? []
  assert.ok(http.drainSeconds > Number(every) * Number(falls), 'it notices before requests are refused')
  for (const side of ['client', 'server'])
    assert.ok(Number(new RegExp(`timeout ${side} (\\d+)s`).exec(text)?.[1]) > ai.chat.turnSeconds, side)
})

test('the pooler keeps the statements of the service, and serves all of its connections', async () => {
  const ini = new Map(
    [...read('pgbouncer.ini').matchAll(/^(\w+) = (.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  // It knows every room, and with it its statements.
  await import('../server/src/all-routes.ts')
  assert.ok(Number(ini.get('max_prepared_statements')) > allStatements().length, String(allStatements().length))
  assert.equal(ini.get('pool_mode'), 'transaction')
  const { database } = settingsOf(environmentOf(composition.services.one ?? {}), 'one')
  assert.ok(Number(ini.get('max_client_conn')) >= database.poolSize * 10)
  assert.ok(Number(ini.get('query_wait_timeout')) < database.statementTimeoutSeconds)
  assert.match(
    read('database-roles.sh'),
    new RegExp(`alter role tether_service set statement_timeout = '${database.statementTimeoutSeconds}s'`),
  )
  assert.equal(ini.get('auth_file'), /> ?(\S*userlist\S*)/.exec(read('pooler.sh'))?.[1])
})

test('no secret stands in the composition', () => {
  holdsNoSecret(services.flatMap(([, { environment = {} }]) => Object.entries(environment)))
})

const skip = existsSync('/usr/bin/openssl') ? false : 'there is no openssl'

test('the commands of docs/deploy.md make an .env with all that is asked for, and Production starts with it', {
  skip,
}, (t) => {
  const [first = '', second = ''] = commandsWith('docker')
  for (const [, file = ''] of (first + second).matchAll(/ -f (\S+)/g)) assert.equal(file, 'deploy/compose.yaml')
  const named = [
    ...(/ in ([a-z ]+);/.exec(second)?.[1]?.split(' ') ?? []),
    ...`${first}${second}`.matchAll(/run --rm (\w+)/g),
  ]
  for (const name of named) assert.ok(Object.hasOwn(composition.services, Array.isArray(name) ? (name[1] ?? '') : name))
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-deploy-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(path.join(folder, 'deploy'))
  const [writing = assert.fail()] = /^cat > [\s\S]*?^END$/m.exec(first) ?? []
  execFileSync('sh', ['-euc', writing], { cwd: folder })
  const env = parseEnv(readFileSync(path.join(folder, 'deploy/.env'), 'utf8'))
  const asked = new Set([...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name))
  assert.deepEqual(Object.keys(env).sort(), [...asked].sort())
  const given = Object.entries(composition.services.one?.environment ?? {})
  settingsOf(Object.fromEntries(given.map(([name, value]) => [name, filled(value, env)])), 'one')
})
