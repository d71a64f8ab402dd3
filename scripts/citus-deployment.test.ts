// deploy/citus/ over deploy/compose.yaml: nodes and files are there, Production starts with its settings, and the nodes of the tests are set
// up as the deployed ones. Nothing here needs a container.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { DEPLOY, parsed, read, SECRETS, settingsOf } from './deployment.ts'
import { NODE_SETTINGS } from './private-citus.ts'

type Service = {
  readonly image?: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly networks?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly ports?: readonly string[]
}
type Composition = {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const base = parsed<Composition>('compose.yaml')
const citus = parsed<Composition>('citus/compose.yaml')
const NODES = ['database', 'shards-one', 'shards-two']
const nodes = NODES.map((name) => citus.services[name] ?? assert.fail(name))
const filled = (text: string): string =>
  text.replace(
    /\$\{(\w+)[^}]*\}/g,
    (_, name: string) => ({ ...SECRETS, PUBLIC_URL: 'https://assistant.example.com' })[name] ?? 'x',
  )

test('every node has the settings of the nodes that the tests run on', () => {
  for (const { image, command = [], networks, ports } of nodes) {
    assert.equal(image, 'citusdata/citus:13.2.0')
    assert.deepEqual(
      command.slice(1).sort(),
      Object.entries(NODE_SETTINGS)
        .map(([name, value]) => `-c${name}=${value}`)
        .sort(),
    )
    assert.deepEqual([networks, ports], [['inside'], undefined])
  }
})

test('what it mounts and names is there', () => {
  const volumes = { ...base.volumes, ...citus.volumes }
  for (const [name, { volumes: mounted = [], depends_on: after = {} }] of Object.entries(citus.services)) {
    for (const other of Object.keys(after)) assert.ok(Object.hasOwn(citus.services, other), `${name}: ${other}`)
    // Relative to the first of the files that compose is given.
    for (const [from = ''] of mounted.map((volume) => volume.split(':')))
      if (from.startsWith('./')) assert.notEqual(read(from), '', from)
      else assert.ok(Object.hasOwn(volumes, from), `${name}: ${from}`)
  }
  const workers = citus.services.distribute?.environment?.WORKERS?.split(' ') ?? []
  assert.deepEqual([citus.services.distribute?.environment?.COORDINATOR, ...workers], NODES)
})

test('Production starts with the settings of both files, and looks keys up by tenant', () => {
  for (const name of ['one', 'two', 'worker']) {
    const both = { ...base.services[name]?.environment, ...citus.services[name]?.environment }
    const env = Object.fromEntries(Object.entries(both).map(([key, value]) => [key, filled(value)]))
    assert.equal(settingsOf(env, name).database.dividedByTenant, true, name)
  }
})

test('its scripts are shell, and no password stands in the composition', () => {
  for (const file of ['citus/distribute.sh', 'citus/node-logins.sh'])
    execFileSync('sh', ['-n', path.join(DEPLOY, file)])
  for (const { environment = {} } of Object.values(citus.services))
    for (const [name, value] of Object.entries(environment))
      if (/PASSWORD/.test(name)) assert.match(value, /^\$\{\w+:\?/, name)
})
