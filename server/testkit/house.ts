import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { KeyKind } from '@tether/contract'
import type { InjectOptions } from 'fastify'
import { type App, openApp } from '../src/app.ts'
import type { Clock } from '../src/kernel/clock/index.ts'
import { openKeyring, sha256 } from '../src/kernel/crypto/index.ts'
import { type LogOptions, openLog } from '../src/kernel/log/index.ts'
import type { Model } from '../src/kernel/model/index.ts'
import { loadSettings, type Settings } from '../src/kernel/settings/index.ts'
import type { Module } from '../src/module.ts'
import type { ChosenModel } from '../src/talk/chat/index.ts'
import { mintKey, type Route } from '../src/tenancy/access/index.ts'
import { answerCheck } from './answer-check.ts'
import { impatientClock } from './clock.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { isDivided } from './divided.ts'
import { insertAnyKey } from './keys.ts'

export type { InjectOptions }

/** `Body` is the caller's claim; the answer is held against its declaration, so a false one does not get far. */
export type Reply<Body = Record<string, unknown>> = {
  readonly status: number
  readonly headers: Record<string, string | string[] | number | undefined>
  readonly text: string
  readonly body: Body
  /** The error of a refusal. */
  readonly error: { code: string; message: string; reason?: string; errorId?: string } | undefined
}

export type Ask = {
  readonly key?: string
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Buffer
  readonly headers?: Record<string, string>
  readonly from?: string
}

export type NewTenant = { tenantId: number; name: string; apiKey: string; keyPrefix: string; signingSecret: string }

export type OpenHouse = {
  /** The first of the instances where TEST_INSTANCES makes several; `ask` goes to each in turn, and what ends one ends all. */
  readonly app: App
  readonly instances: number
  readonly modules: readonly Module[]
  readonly settings: Settings
  readonly operatorKey: string
  readonly database: FreshDatabase
  /** Everything that was logged, as the lines that were written. */
  readonly logged: string[]
  ask<Body = Record<string, unknown>>(method: string, path: string, ask?: Ask): Promise<Reply<Body>>
  tenant(name?: string): Promise<NewTenant>
  /** A live key of any kind, also of those that only a verb of a later feature would mint. A sandbox needs more: `sandboxKey` of previews. */
  key(tenantId: number, kind: KeyKind): Promise<string>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type HouseOptions = {
  /** `Section:Name` to text, as an environment variable would say it. */
  readonly settings?: Record<string, string>
  readonly moreRoutes?: readonly Route[]
  /** A database that the test has prepared. The house closes it. */
  readonly database?: FreshDatabase
  /** Without the neighbour (neighbour.sql): for a test that counts over every tenant of the deployment. */
  readonly empty?: boolean
  /** A second house on the first one's database, with its settings and its modules. */
  readonly beside?: OpenHouse
  /** Whether other houses share the database, also where it is the embedded one. */
  readonly shared?: boolean
  readonly log?: LogOptions['level']
  /** The time as this house sees it; its waits, too. */
  readonly clock?: Clock
  /** How jittered its waits are, from 0 to 1. */
  readonly random?: () => number
  /** Where this house crashes: a fault that never returns is a process that died there. */
  readonly faults?: NonNullable<Parameters<typeof openApp>[0]['faults']>
  /** The model of every plan. */
  readonly model?: Model
  /** Of that model; free unless said. */
  readonly price?: ChosenModel['price']
  readonly retrieval?: NonNullable<Parameters<typeof openApp>[0]['retrieval']>
  /** The modules to open. The default is none. */
  readonly modules?: readonly Module[]
}

const PATIENT = {
  'RateLimit:ControlPerMinute': '1000000',
  'RateLimit:RuntimePerMinute': '1000000',
  'RateLimit:AnonymousPerMinute': '1000000',
  'ToolTransport:AllowInsecureEndpoint': 'true',
  'ToolTransport:AllowPrivateNetworkEndpoint': 'true',
  // Nobody answers there. A test never asks the real one.
  'Notifications:Slack:ApiUrl': 'http://127.0.0.1:9/api',
}

/** The settings of a test: those of Development with secrets of its own, and without anybody's environment. */
export function testSettings(overrides: Record<string, string> = {}): Settings {
  const values: Record<string, string> = {
    'Encryption:Key': randomBytes(32).toString('base64'),
    'Operator:ApiKey': `operator-${randomBytes(24).toString('hex')}`,
    'Signup:IpHashSalt': randomBytes(24).toString('hex'),
    // Nobody's files: what a real process left in its own folder is not a test's to write back.
    'AI:Usage:SpillDirectory': path.join(tmpdir(), `tether-test-${process.pid}-usage`),
    ...PATIENT,
    ...(isDivided() ? { 'Database:DividedByTenant': 'true' } : {}),
    ...overrides,
  }
  const env = Object.fromEntries(Object.entries(values).map(([name, value]) => [name.replaceAll(':', '__'), value]))
  const loaded = loadSettings({ env, readFile: () => '{}' })
  if (!loaded.ok) throw new Error(loaded.faults.map(({ message }) => message).join('\n'))
  return loaded.settings
}

/** A real app on a real database. Every JSON answer that passes through `ask` is held against the route's declaration. */
export async function openHouse(options: HouseOptions = {}): Promise<OpenHouse> {
  const settings = options.beside?.settings ?? testSettings(options.settings)
  const database =
    options.beside?.database ?? options.database ?? (await freshDatabase({ neighbour: options.empty !== true }))
  const modules = options.modules ?? options.beside?.modules ?? []
  const logged: string[] = []
  const instances = instancesOf(options)
  const shared = instances > 1 ? true : options.shared
  const stream = { write: (line: string) => logged.push(line) }
  const log = openLog({ level: options.log ?? 'info', format: 'json', stream })
  const parts = {
    settings,
    db: database.database,
    log,
    clock: options.clock ?? impatientClock,
    keyring: openKeyring({ key: settings.encryption.key, previous: settings.encryption.previousKeys }),
    moreRoutes: options.moreRoutes ?? [],
    ...(shared === undefined ? {} : { shared }),
    ...(options.faults === undefined ? {} : { faults: options.faults }),
    ...(options.random === undefined ? {} : { random: options.random }),
    ...(options.model === undefined ? {} : { models: deskOf(options.model, options.price) }),
    ...(options.retrieval === undefined ? {} : { retrieval: options.retrieval }),
    modules,
  }
  const open = () => openApp(parts)
  const apps = [open(), ...Array.from({ length: instances - 1 }, open)] as const
  const app = together(apps)
  const nextApp = inTurn(apps)
  const check = answerCheck(app.routes)
  const operatorKey = settings.operator.apiKey ?? ''

  async function ask<Body>(method: string, path: string, asked: Ask = {}): Promise<Reply<Body>> {
    const answer = await nextApp().server.inject(injection(method, path, asked))
    const body = parsed(answer.headers['content-type'], answer.payload)
    check(method, path, answer.statusCode, body)
    const { error } = (body ?? {}) as Pick<Reply, 'error'>
    return { status: answer.statusCode, headers: answer.headers, text: answer.payload, body: body as Body, error }
  }
  const close = async () => {
    await app.close()
    if (options.beside === undefined) await database.close()
  }
  return {
    app,
    instances,
    modules,
    settings,
    operatorKey,
    database,
    logged,
    ask,
    async tenant(name = 'Corner Shop') {
      const { status, body, text } = await ask<NewTenant>('POST', '/v1/tenants', { key: operatorKey, body: { name } })
      if (status !== 200) throw new Error(`no tenant: ${text}`)
      return body
    },
    async key(tenantId, kind) {
      const { key, prefix } = mintKey(app.house.keyring, kind, tenantId)
      await database.database.run(insertAnyKey, { tenantId, hash: sha256(key), prefix, kind })
      return key
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** How many instances of the service a house is, which are asked in turn. Another one beside a house is one more of them. */
const instancesOf = ({ beside }: HouseOptions): number =>
  beside === undefined ? Number(process.env.TEST_INSTANCES ?? '1') : 1

type Apps = readonly [App, ...App[]]

function inTurn(apps: Apps): () => App {
  let asked = 0
  return () => apps[asked++ % apps.length] ?? apps[0]
}

/** The first of several instances, which does with the others what is done with all of them. */
function together(apps: Apps): App {
  const [first] = apps
  if (apps.length === 1) return first
  const all = (work: (app: App) => Promise<void>) => async () => {
    for (const one of apps) await work(one)
  }
  return {
    ...first,
    settled: all((one) => one.settled()),
    flush: all((one) => one.flush()),
    close: all((one) => one.close()),
  }
}

const FREE = { inputMicros: 0, outputMicros: 0 }
const deskOf = (model: Model, price = FREE) => ({ of: () => ({ model, name: model.kind, price }) })

function injection(method: string, url: string, { key, body, raw, headers, from }: Ask): InjectOptions {
  return {
    method: method as 'GET',
    url,
    headers: { ...(key === undefined ? {} : { 'x-api-key': key }), ...headers },
    ...(raw === undefined ? {} : { payload: raw }),
    ...(body === undefined
      ? {}
      : {
          payload: JSON.stringify(body),
          headers: {
            'content-type': 'application/json',
            ...(key === undefined ? {} : { 'x-api-key': key }),
            ...headers,
          },
        }),
    ...(from === undefined ? {} : { remoteAddress: from }),
  }
}

const parsed = (type: unknown, text: string): unknown =>
  String(type).startsWith('application/json') && text !== '' ? JSON.parse(text) : undefined
