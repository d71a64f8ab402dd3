// One generated request: what it asks for, as whom, and the bytes that say so.
import type { Operation, Reference } from '../rig/reference.ts'
import type { Sending } from '../rig/wire.ts'
import { addressOf, isSendable } from './address.ts'
import { type Body, brokenBytes, brokenText, brokenTree, goodBody, heavyTree } from './break-json.ts'
import { type Cast, spoiltKey, type Workspace } from './cast.ts'
import { type Framed, frame, type Parts } from './frame.ts'
import type { Harvest } from './harvest.ts'
import { contentType, type Header, oddHeaders } from './headers.ts'
import { treeOf, writeJson } from './json-tree.ts'
import { lie } from './lies.ts'
import { type Random, randomOf } from './random.ts'
import { type Maker, valueFor } from './values.ts'

export type Credential = {
  /** `live` is a key of this kind that has not been spoilt; `mixed` presents several. */
  readonly state: 'live' | 'spoilt' | 'none' | 'mixed'
  readonly kind: string
  readonly workspace: Workspace
  readonly slot: number
}

export type Shot = {
  readonly index: number
  readonly operation: Operation
  readonly method: string
  readonly address: string
  /** HTTP is answered; what is not may be hung up on. */
  readonly isHttp: boolean
  readonly credential: Credential
  readonly sending: Sending
}

export type Armoury = {
  readonly seed: number
  readonly reference: Pick<Reference, 'resolve'>
  /** Those to ask for; a lie may still reach others. */
  readonly operations: readonly Operation[]
  readonly cast: Cast
  readonly harvest: Harvest
}

type Plan = 'good' | 'broken' | 'wrongVerb' | 'lie' | 'heavy'

export function shotOf({ seed, reference, operations, cast, harvest }: Armoury, index: number): Shot {
  const random = randomOf(seed, index)
  const maker: Maker = { reference, harvest, random }
  const plan: Plan = random.weighted({ good: 30, broken: 47, wrongVerb: 8, lie: 12, heavy: 3 })
  const operation = pickOperation(operations, random, plan === 'heavy')
  const method = plan === 'wrongVerb' ? random.pick(VERBS) : operation.method
  const credential = credentialOf(cast, operation, random, plan)
  const address = addressOf(maker, operation, credential.workspace, plan === 'broken' && random.chance(0.5))
  const body = bodyOf(maker, operation, plan)
  const odd = plan !== 'good' && plan !== 'heavy' && random.chance(0.25) ? oddHeaders(random) : []
  const typed = body === undefined ? [] : contentType(random, plan !== 'good')
  const coded: Header[] = body?.encoding === undefined ? [] : [['Content-Encoding', body.encoding]]
  const headers = [...keyHeaders(credential, random), ...typed, ...coded, ...odd]
  const parts: Parts = { method, address, headers, body: body?.bytes }
  const framed: Framed = plan === 'lie' ? lie(parts, random) : frame(parts, random)
  const isHttp = framed.isHttp && isSendable(address)
  const head = method === 'HEAD'
  return {
    index,
    operation,
    method,
    address,
    isHttp,
    credential,
    sending: {
      pieces: framed.pieces,
      manner: framed.manner,
      head,
      reusable: isHttp && framed.manner === 'one' && !upgrades(headers),
    },
  }
}

const VERBS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'PROPFIND',
  'LOCK',
  'PURGE',
]

const upgrades = (headers: readonly Header[]): boolean => headers.some(([name]) => name === 'Upgrade')

/** What deletes is asked less often than the rest: it would spend the time on making workspaces anew. */
function pickOperation(operations: readonly Operation[], random: Random, withBody: boolean): Operation {
  const bodied = withBody ? operations.filter(({ body }) => body !== undefined) : []
  const among = bodied.length > 0 ? bodied : operations
  const operation = random.pick(among)
  return operation.method === 'DELETE' && random.chance(0.5) ? random.pick(among) : operation
}

function credentialOf(cast: Cast, operation: Operation, random: Random, plan: Plan): Credential {
  const { workspace, slot } = cast.workspace(random)
  const reaching = operation.reach.filter((kind) => workspace.keys[kind] !== undefined)
  const right = reaching.length > 0 && random.chance(plan === 'good' || plan === 'heavy' ? 0.95 : 0.75)
  const kind = random.pick(right ? reaching : cast.kinds)
  const state = right ? 'live' : random.weighted<Credential['state']>({ live: 5, spoilt: 4, none: 3, mixed: 1 })
  return { state, kind, workspace, slot }
}

function keyHeaders({ state, kind, workspace }: Credential, random: Random): Header[] {
  const key = workspace.keys[kind] ?? ''
  const bearer = random.chance(0.3)
  if (state === 'none') return random.chance(0.3) ? [['Authorization', random.pick(NO_BEARERS)]] : []
  if (state === 'mixed')
    return [
      ['X-Api-Key', spoiltKey(key, random)],
      ['Authorization', `Bearer ${key}`],
    ]
  const shown = state === 'live' ? key : spoiltKey(key, random)
  return bearer
    ? [['Authorization', `${random.pick(['Bearer', 'bearer', 'BEARER'])} ${shown}`]]
    : [['X-Api-Key', shown]]
}

const NO_BEARERS = [
  'Basic dTpw',
  'Bearer',
  'Bearer ',
  'Digest username="x"',
  'x'.repeat(3000),
  '\u0080',
  'Bearer a b c',
]

function bodyOf(maker: Maker, { body }: Operation, plan: Plan): Body | undefined {
  const { random } = maker
  // A body where none is asked for must do no harm.
  if (body === undefined) return plan === 'good' || random.chance(0.7) ? undefined : goodBody(treeOf({ a: [1] }))
  if (!body.required && random.chance(0.3)) return undefined
  const useExample = body.example !== undefined && random.chance(0.25)
  const tree = useExample ? treeOf(body.example) : valueFor(maker, body.schema, '')
  if (plan === 'good') return goodBody(tree)
  if (plan === 'heavy') return goodBody(heavyTree(tree, random))
  const way = random.weighted({ tree: 6, text: 2, bytes: 2, good: 2, absent: 0.3 })
  if (way === 'absent') return undefined
  if (way === 'good') return goodBody(tree)
  if (way === 'tree') return goodBody(brokenTree(tree, random))
  const text = writeJson(tree)
  return way === 'text' ? { bytes: Buffer.from(brokenText(text, random)) } : brokenBytes(text, random)
}
