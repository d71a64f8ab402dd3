// The manifests of `deploy/`, read as a cluster reads them: names lead to what is there, settings are settings, and nothing secret stands
// in a file. Nothing here needs a cluster or the network.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { loadAll } from 'js-yaml'
import { commandsWith, DEPLOY, holdsNoSecret, parsed, read, SECRETS, settingsOf } from './deployment.ts'

type Labels = Readonly<Record<string, string>>
type Probe = { readonly httpGet?: { readonly path: string; readonly port: string } }
type KeyRef = { readonly name: string; readonly key: string }
type Variable = {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef: KeyRef }
}
type Container = {
  readonly name: string
  readonly image: string
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly env?: readonly Variable[]
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[]
  readonly resources?: { readonly requests?: Labels; readonly limits?: Labels }
  readonly securityContext?: Readonly<Record<string, unknown>>
  readonly volumeMounts?: readonly { readonly name: string }[]
  readonly readinessProbe?: Probe
  readonly livenessProbe?: Probe
  readonly startupProbe?: Probe
}
type Pod = {
  readonly terminationGracePeriodSeconds?: number
  readonly automountServiceAccountToken?: boolean
  readonly securityContext?: Readonly<Record<string, unknown>>
  readonly containers: readonly Container[]
  readonly volumes?: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[]
}
type Selecting = {
  readonly matchLabels?: Labels
  readonly matchExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[]
}
type Manifest = {
  readonly apiVersion: string
  readonly kind: string
  readonly file: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly data?: Labels
  // What each kind has in it is read where it is looked at.
  readonly spec: Readonly<Record<string, never>> & {
    readonly replicas?: number
    readonly minAvailable?: number
    readonly type?: string
    readonly selector?: Selecting & Labels
    readonly podSelector?: Selecting
    readonly ports?: readonly { readonly name: string; readonly port: number; readonly targetPort?: string }[]
    readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod }
    readonly ingress?: readonly {
      readonly from: readonly { readonly podSelector?: Selecting }[]
      readonly ports: readonly { readonly port: string }[]
    }[]
    readonly rules?: readonly {
      readonly http: {
        readonly paths: readonly {
          readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } }
        }[]
      }
    }[]
  }
}
type Kustomization = {
  readonly resources: readonly string[]
  readonly images: readonly { readonly name: string; readonly newName: string; readonly newTag: string }[]
  readonly configMapGenerator?: readonly { readonly name: string; readonly files: readonly string[] }[]
}

const whole = parsed<Kustomization>('kustomization.yaml')
const migration = parsed<Kustomization>('migrate/kustomization.yaml')
const files = [...whole.resources, ...migration.resources.map((file) => `migrate/${file}`)]
const manifests = files.flatMap((file) => (loadAll(read(file)) as Manifest[]).map((one) => ({ ...one, file })))
const of = (kind: string): Manifest[] => manifests.filter((one) => one.kind === kind)
const podsOf = (some: readonly Manifest[]) =>
  some.flatMap(({ metadata, spec }) =>
    spec?.template === undefined
      ? []
      : [{ name: metadata.name, labels: spec.template.metadata.labels, pod: spec.template.spec }],
  )
const pods = podsOf(manifests)
const ours = pods.filter(({ pod }) => pod.containers.some(({ image }) => image === 'tether'))

const KINDS: Readonly<Record<string, string>> = {
  ConfigMap: 'v1',
  Deployment: 'apps/v1',
  Ingress: 'networking.k8s.io/v1',
  Job: 'batch/v1',
  Namespace: 'v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  Service: 'v1',
}

const selects = ({ matchLabels = {}, matchExpressions = [] }: Selecting, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
  matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))

test('every manifest is of a kind that there is, named once, and listed', () => {
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  assert.equal(new Set(names).size, names.length)
  for (const { kind, apiVersion, metadata, file } of manifests) {
    assert.equal(apiVersion, KINDS[kind], `${file}: ${kind}`)
    assert.equal(metadata.namespace, undefined, `${file}: the kustomization says the namespace`)
  }
  assert.deepEqual(globSync('kubernetes/*.yaml', { cwd: DEPLOY }).sort(), [...whole.resources].sort())
  assert.deepEqual(migration.images, whole.images)
  for (const { files: taken } of whole.configMapGenerator ?? [])
    for (const file of taken) assert.notEqual(read(file), '')
})

test('what selects pods finds some, and ports are those that they open', () => {
  for (const { metadata, spec } of of('Deployment'))
    assert.ok(selects(spec.selector ?? {}, spec.template?.metadata.labels ?? {}), metadata.name)
  for (const { metadata, spec } of of('Service').filter((one) => one.spec.type !== 'ExternalName')) {
    const found = pods.filter(({ labels }) => selects({ matchLabels: spec.selector ?? {} }, labels))
    assert.equal(found.length, 1, metadata.name)
    const open = found[0]?.pod.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name)) ?? []
    for (const { targetPort = '' } of spec.ports ?? [])
      assert.ok(open.includes(targetPort), `${metadata.name}: ${targetPort}`)
  }
  const several = of('Deployment').filter(({ spec }) => (spec.replicas ?? 1) > 1)
  assert.deepEqual(
    of('PodDisruptionBudget').map(({ metadata }) => metadata.name),
    several.map(({ metadata }) => metadata.name),
  )
  for (const { metadata, spec } of of('PodDisruptionBudget')) {
    const [found, ...more] = of('Deployment').filter((one) =>
      selects(spec.selector ?? {}, one.spec.template?.metadata.labels ?? {}),
    )
    assert.ok(found !== undefined && more.length === 0, metadata.name)
    assert.ok((spec.minAvailable ?? 0) >= 1 && (spec.minAvailable ?? 0) < (found.spec.replicas ?? 0), metadata.name)
  }
  for (const { metadata, spec } of of('NetworkPolicy')) {
    for (const { from, ports } of spec.ingress ?? []) {
      const to = pods.filter(({ labels }) => selects(spec.podSelector ?? {}, labels))
      const open = to.flatMap(({ pod }) => pod.containers.flatMap(({ ports: all = [] }) => all.map(({ name }) => name)))
      for (const { port } of ports) assert.ok(open.includes(port), `${metadata.name}: ${port}`)
      for (const { podSelector } of from)
        if (podSelector !== undefined)
          assert.ok(
            pods.some(({ labels }) => selects(podSelector, labels)),
            metadata.name,
          )
    }
  }
  for (const { spec } of of('Ingress')) {
    for (const { backend } of (spec.rules ?? []).flatMap(({ http }) => http.paths)) {
      const service = of('Service').find(({ metadata }) => metadata.name === backend.service.name)
      assert.ok(
        service?.spec.ports?.some(({ name }) => name === backend.service.port.name),
        backend.service.name,
      )
    }
  }
})

test('no pod runs as root, writes where it may not, or takes what it likes', () => {
  for (const { name, pod } of pods) {
    assert.equal(pod.automountServiceAccountToken, false, name)
    const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext ?? {}
    assert.deepEqual([runAsNonRoot, seccompProfile], [true, { type: 'RuntimeDefault' }], name)
    assert.ok(Number(runAsUser) > 0, name)
    const volumes = new Set((pod.volumes ?? []).map((volume) => volume.name))
    for (const container of pod.containers) {
      assert.deepEqual(
        container.securityContext,
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        name,
      )
      assert.deepEqual(Object.keys(container.resources?.requests ?? {}), ['cpu', 'memory'], name)
      assert.deepEqual(Object.keys(container.resources?.limits ?? {}), ['memory'], name)
      for (const mount of container.volumeMounts ?? []) assert.ok(volumes.has(mount.name), `${name}: ${mount.name}`)
      assert.match(container.image, /^tether$|:v?\d/, `${name} names its version`)
    }
    for (const { configMap } of pod.volumes ?? [])
      if (configMap !== undefined) assert.ok(configMaps().has(configMap.name), configMap.name)
  }
})

const configMaps = (): ReadonlyMap<string, Labels> =>
  new Map([
    ...of('ConfigMap').map(({ metadata, data = {} }) => [metadata.name, data] as const),
    ...(whole.configMapGenerator ?? []).map(({ name }) => [name, {}] as const),
  ])

/** The variables of a container, as a node fills them in. */
function variablesOf({ env = [], envFrom = [] }: Container): Record<string, string> {
  const all: Record<string, string> = {}
  for (const { configMapRef } of envFrom)
    Object.assign(all, configMaps().get(configMapRef.name) ?? assert.fail(configMapRef.name))
  for (const { name, value, valueFrom } of env) {
    const { name: secret, key } = valueFrom?.secretKeyRef ?? { name: 'tether', key: '' }
    assert.equal(secret, 'tether')
    // What is not defined yet stays as it is written.
    all[name] =
      value?.replace(/\$\((\w+)\)/g, (asked, other: string) => all[other] ?? asked) ??
      SECRETS[key] ??
      assert.fail(`${key} is no secret`)
  }
  return all
}

test('the pods start: Production accepts their settings, and their probes and times agree with these', () => {
  assert.deepEqual(ours.map(({ name }) => name).sort(), ['instances', 'migrate', 'workers'])
  for (const { name, pod } of ours) {
    const [container] = pod.containers
    assert.ok(container !== undefined)
    const { http, work, redis, database } = settingsOf(variablesOf(container), name)
    assert.ok(redis.url !== undefined && !work.inProcess)
    if (name === 'migrate') continue
    assert.match(database.listenUrl ?? '', /@database:5432\//)
    assert.match(database.url ?? '', /@pooler:6432\//)
    assert.ok((pod.terminationGracePeriodSeconds ?? 0) >= http.drainSeconds + http.shutdownSeconds + 5, name)
    if (name !== 'instances') continue
    assert.deepEqual(container.ports, [{ name: 'http', containerPort: http.port }])
    assert.deepEqual(
      [container.startupProbe, container.livenessProbe, container.readinessProbe].map((probe) => probe?.httpGet),
      ['/health', '/health', '/ready'].map((at) => ({ path: at, port: 'http' })),
    )
  }
})

test('no secret stands in a manifest', () => {
  holdsNoSecret([
    ...pods.flatMap(({ pod }) =>
      pod.containers.flatMap(({ env = [] }) => env.map(({ name, value }) => [name, value] as const)),
    ),
    ...of('ConfigMap').flatMap(({ data = {} }) => Object.entries(data)),
  ])
  assert.deepEqual(of('Secret'), [])
})

test('the commands of docs/deploy.md name what is there, and every secret that is asked for', () => {
  const [commands = ''] = commandsWith('kubectl')
  const applied = [...commands.matchAll(/apply -([fk]) deploy\/?(\S*)/g)]
  assert.ok(applied.length >= 4)
  for (const [, how, at = ''] of applied)
    assert.notEqual(read(how === 'f' ? at : `${at || '.'}/kustomization.yaml`), '')
  const asked = pods.flatMap(({ pod }) =>
    pod.containers.flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.key ?? [])),
  )
  const [, listed = ''] = /secrets\.env +# (.*)/.exec(commands) ?? []
  assert.deepEqual([...new Set(asked)].sort(), listed.split(', ').sort())
})
