// Takes a good body and spoils it: in its tree (wrong types, doubled members), in its text, or in its bytes.
import { gzipSync } from 'node:zlib'
import { type JsonTree, placesIn, rawJson, textJson, treeOf, writeJson } from './json-tree.ts'
import { deepJson, heavyText, oddNumber, oddText } from './oddities.ts'
import type { Random } from './random.ts'

export type Body = { readonly bytes: Buffer; readonly encoding?: string }

/** One to three faults of the tree. */
export function brokenTree(tree: JsonTree, random: Random): JsonTree {
  const root = { tree }
  for (let left = 1 + random.int(3); left > 0; left--) {
    const place = random.pick(placesIn(root))
    const fault = random.weighted(TREE_WEIGHTS)
    place.put(TREE_FAULTS[fault](place.now, random))
    // Its items are one and the same: whatever came next would come five thousand times.
    if (fault === 'many') break
  }
  return root.tree
}

/** One text of the tree as long as a body may be. */
export function heavyTree(tree: JsonTree, random: Random): JsonTree {
  const root = { tree }
  const texts = placesIn(root).filter(({ now }) => now.kind === 'text' && now.text.startsWith('"'))
  if (texts.length > 0) random.pick(texts).put(textJson(heavyText(random)))
  return root.tree
}

const TREE_WEIGHTS = {
  otherType: 6,
  text: 5,
  number: 4,
  member: 5,
  doubled: 3,
  dropped: 3,
  deep: 1,
  many: 1,
  nulled: 2,
}

const TREE_FAULTS: Record<keyof typeof TREE_WEIGHTS, (now: JsonTree, random: Random) => JsonTree> = {
  otherType: (_, random) => treeOf(random.pick([1, 'x', true, null, [], {}, [[1]], { a: 1 }, 0.5, ''])),
  text: (_, random) => textJson(oddText(random)),
  number: (_, random) => rawJson(oddNumber(random)),
  nulled: () => rawJson('null'),
  deep: (_, random) => rawJson(deepJson(random)),
  // Only of something small: a body may be a little over the limit, not a thousand times.
  many: (now) => (writeJson(now).length > 60 ? now : { kind: 'list', items: Array.from({ length: 5000 }, () => now) }),
  member: (now, random) => withMember(now, [random.pick(STRANGE_MEMBERS), treeOf(random.pick(STRANGE_VALUES))]),
  doubled: (now, random) =>
    now.kind === 'object' && now.members.length > 0
      ? withMember(now, [random.pick(now.members)[0], treeOf(random.pick(STRANGE_VALUES))])
      : now,
  dropped: (now, random) => {
    if (now.kind !== 'object' || now.members.length === 0) return now
    const gone = random.int(now.members.length)
    return { kind: 'object', members: now.members.filter((_, place) => place !== gone) }
  },
}

const STRANGE_MEMBERS = [
  '__proto__',
  'constructor',
  'prototype',
  '',
  'toString',
  'tenantId',
  'organizationId',
  'locationId',
  '\u0000',
  '\ud800',
  '$ref',
  'then',
  'toJSON',
  'length',
]
const STRANGE_VALUES: readonly unknown[] = [null, 1, 'x', { admin: true }, { toString: 1 }, [], 'secret', -1, true]

const withMember = (now: JsonTree, member: [string, JsonTree]): JsonTree =>
  now.kind === 'object' ? { kind: 'object', members: [...now.members, member] } : now

const TEXT_WEIGHTS = { cut: 4, inserted: 4, trailing: 2, comment: 1, quotes: 1, space: 1, bare: 3, deep: 1, spread: 1 }

const TEXT_FAULTS: Record<keyof typeof TEXT_WEIGHTS, (text: string, random: Random) => string> = {
  cut: (text, random) => text.slice(0, random.int(text.length + 1)),
  inserted: (text, random) => {
    const at = random.int(text.length + 1)
    return (
      text.slice(0, at) +
      random.pick(['"', '{', '}', ',', ':', '\\', '\u0000', '\u0001', '0', 'e', '\n']) +
      text.slice(at)
    )
  },
  trailing: (text, random) => text + random.pick([',', '}', text, ' null', '\u0000', '//']),
  comment: (text) => `/* note */ ${text}`,
  quotes: (text) => text.replaceAll('"', "'"),
  space: (_, random) => random.pick([' ', '\n', '\t\r\n ', '\u00a0', '\u2028']),
  bare: (_, random) =>
    random.pick([
      'null',
      'true',
      '1',
      '"x"',
      '[]',
      '{}',
      'NaN',
      'undefined',
      'Infinity',
      '01',
      '.5',
      '1.',
      '+1',
      '--1',
      'a=b&c=d',
      '"\\ud800"',
      '"\\u00zz"',
      '"\\x41"',
      '[1,]',
      '{"a":1,}',
      '{a:1}',
    ]),
  deep: (_, random) => deepJson(random),
  spread: (text, random) => text.replace(':', `:${' '.repeat(random.pick([1, 1000, 100_000]))}`),
}

export const brokenText = (text: string, random: Random): string =>
  TEXT_FAULTS[random.weighted(TEXT_WEIGHTS)](text, random)

const BAD_BYTES = ['ff', 'fe', 'c080', 'eda080', 'f5808080', 'e280', '80', 'f0808080', '00', 'efbfbe'].map((hex) =>
  Buffer.from(hex, 'hex'),
)

const BYTE_WEIGHTS = { bad: 6, mark: 1, wide: 1, latin: 1, zipped: 1, none: 1 }

const BYTE_FAULTS: Record<keyof typeof BYTE_WEIGHTS, (text: string, random: Random) => Body> = {
  bad: (text, random) => {
    const bytes = Buffer.from(text)
    const at = random.int(bytes.length + 1)
    return { bytes: Buffer.concat([bytes.subarray(0, at), random.pick(BAD_BYTES), bytes.subarray(at)]) }
  },
  mark: (text) => ({ bytes: Buffer.from(`\ufeff${text}`) }),
  wide: (text) => ({ bytes: Buffer.from(`\ufeff${text}`, 'utf16le') }),
  latin: (text) => ({ bytes: Buffer.from(`${text.slice(0, -1)}\u00e9`, 'latin1') }),
  zipped: (text) => ({ bytes: gzipSync(text), encoding: 'gzip' }),
  none: () => ({ bytes: Buffer.alloc(0) }),
}

export const brokenBytes = (text: string, random: Random): Body =>
  BYTE_FAULTS[random.weighted(BYTE_WEIGHTS)](text, random)

export const goodBody = (tree: JsonTree): Body => ({ bytes: Buffer.from(writeJson(tree)) })
