import { decodedView, plainView, type View } from './decoded-view.ts'
import { sharedRunsWith } from './shared-runs.ts'

/** Removes secrets from what an API answered. */
export type Redact = {
  text(text: string): string
  /** The same bytes where there was nothing to remove. */
  body(body: Buffer): Buffer
}

export const REDACTED = '[redacted]'

// What is shorter stands in every second answer, and is no secret.
const SHORTEST_SECRET = 4
/** A text in a text in a text: JSON in a form in JSON. */
const MOST_LAYERS = 3

type Range = readonly [from: number, to: number]

/** Removes them whole and in pieces, as they are and as base64, hex, JSON, addresses and pages write them. */
export function redactorOf(secrets: readonly string[]): Redact {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST_SECRET)
  const needles = known.flatMap(needlesOf)
  const text = (given: string): string => (needles.length === 0 ? given : without(given, rangesIn(given, needles)))
  return {
    text,
    body(body) {
      if (needles.length === 0 || body.length === 0) return body
      const encoding = isUtf8(body) ? 'utf8' : 'latin1'
      const given = body.toString(encoding)
      const rest = text(given)
      if (rest === given) return body
      // A number that was cut is no JSON any longer, and what was JSON is read as JSON.
      return Buffer.from(isJson(given) && !isJson(rest) ? JSON.stringify(REDACTED) : rest, encoding)
    },
  }
}

function isUtf8(body: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body)
    return true
  } catch {
    return false
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

type Needle = (view: View) => Iterable<Range>

function needlesOf(secret: string): Needle[] {
  const bytes = Buffer.from(secret)
  const base64 = [0, 1, 2].map((before) => base64At(bytes, before))
  const others = [
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    // What an address or a form decodes to are bytes, and a form writes a plus where a space was.
    bytes.toString('latin1'),
    secret.replaceAll(' ', '+'),
  ].filter((text) => text.length >= SHORTEST_SECRET)
  const hex = bytes.toString('hex')
  return [
    inPieces(secret),
    ...[...new Set([secret, ...others])].map(
      (text): Needle =>
        ({ text: hay, at }) =>
          whole(hay, text, at),
    ),
    ({ text, at }) => whole(text.toLowerCase(), hex, at),
  ]
}

/** The first part of a signed token names an algorithm, which many tokens have in common: it is no secret by itself. */
function inPieces(secret: string): Needle {
  const [head, ...rest] = secret.split('.')
  const kept = head?.startsWith('eyJ') === true && rest.length === 2 ? rest.join('.') : secret
  const piece = pieceOf(kept)
  const runs = sharedRunsWith(kept)
  return function* ({ text, at }) {
    for (const [from, to] of runs(text, piece)) yield [at[from] ?? 0, at[to] ?? 0]
  }
}

/** Half of it, within reason: halves are found, and an ordinary word that it happens to hold is not. */
const pieceOf = ({ length }: string): number => Math.min(length, Math.max(12, Math.min(16, Math.ceil(length / 2))))

/** What the secret looks like in the base64 of a longer text, where this many bytes stand before it in its group of three. */
function base64At(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replaceAll('=', '')
  // The first and the last character mix with what stands around it.
  return text.slice(before === 0 ? 0 : before + 1, (before + bytes.length) % 3 === 0 ? text.length : -1)
}

function rangesIn(text: string, needles: readonly Needle[]): Range[] {
  const ranges: Range[] = []
  let view: View | null = plainView(text)
  for (let layer = 0; view !== null && layer <= MOST_LAYERS; layer++) {
    for (const needle of needles) for (const range of needle(view)) ranges.push(range)
    view = decodedView(view)
  }
  return ranges
}

function* whole(hay: string, text: string, at: View['at']): Generator<Range> {
  for (let index = hay.indexOf(text); index !== -1; index = hay.indexOf(text, index + text.length))
    yield [at[index] ?? 0, at[index + text.length] ?? 0]
}

function without(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text
  let [rest, end] = ['', 0]
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    if (to <= end) continue
    // Two that touch are one.
    if (from > end || end === 0) rest += text.slice(end, from) + REDACTED
    end = to
  }
  return rest + text.slice(end)
}
