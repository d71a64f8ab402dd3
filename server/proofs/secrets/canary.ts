// A secret that is marked: random enough that wherever a piece of it turns up, it came from here.

export type Canary = {
  readonly name: string
  readonly value: string
}

export type Needle = { readonly canary: string; readonly form: string; readonly bytes: Buffer }

// Shorter pieces would meet by chance, longer ones would miss a secret that was cut.
const pieceLength = 16

/**
 * Everything to look for: a piece out of the middle of the secret, past the prefix that a key may show, in each form in
 * which a program could have written it down.
 */
export function needlesOf({ name, value }: Canary): Needle[] {
  const piece = pieceOf(value)
  const needles: [form: string, bytes: Buffer][] = [
    ['as it is', Buffer.from(piece)],
    ['in upper case', Buffer.from(piece.toUpperCase())],
    ['as hex', Buffer.from(Buffer.from(piece).toString('hex'))],
    ['as UTF-16', Buffer.from(piece, 'utf16le')],
    ...[0, 1, 2].flatMap((offset) => base64Of(Buffer.from(piece), offset)),
    ...decodings(value),
  ]
  return needles.map(([form, bytes]) => ({ canary: name, form, bytes }))
}

/** Keys show their first 12 characters in lists, so only what follows is secret; the random part of anything longer. */
function pieceOf(value: string): string {
  const random = value.replace(/^(?:whsec_|t[a-z]{2}_.{8})/, '')
  const start = Math.max(0, Math.floor((random.length - pieceLength) / 2))
  const piece = random.slice(start, start + pieceLength)
  if (piece.length < pieceLength) throw new Error(`The canary ${value.slice(0, 6)}… is too short to be recognised.`)
  return piece
}

/** The piece inside a longer base64 text, for each place at which it can start within a group of three bytes. */
function base64Of(piece: Buffer, offset: number): [string, Buffer][] {
  const whole = Buffer.concat([Buffer.alloc(offset), piece])
  // The characters at both ends depend on what stands beside the piece.
  const inner = whole.toString('base64').slice(offset === 0 ? 0 : 4, Math.floor(whole.length / 3) * 4)
  const url = inner.replaceAll('+', '-').replaceAll('/', '_')
  const found: [string, Buffer][] = [[`as base64 at ${offset}`, Buffer.from(inner)]]
  return url === inner ? found : [...found, [`as base64url at ${offset}`, Buffer.from(url)]]
}

/** What a secret that is itself an encoding stands for. */
function decodings(value: string): [string, Buffer][] {
  const text = value.replace(/^(?:whsec_|t[a-z]{2}_)/, '')
  if (/^[0-9a-f]{32,}$/.test(text)) return [['decoded from hex', Buffer.from(text, 'hex').subarray(4, 20)]]
  if (/^[A-Za-z0-9+/]{42,}=*$/.test(text)) return [['decoded from base64', Buffer.from(text, 'base64').subarray(8, 24)]]
  return []
}

export type Search = (bytes: Buffer) => Needle[]

/** Looks for all needles in one pass: there are thousands of them, and a data directory is large. */
export function searchFor(needles: readonly Needle[]): Search {
  const byStart = Map.groupBy(needles, ({ bytes }) => bytes.readUIntBE(0, 3))
  const starts = new Uint8Array(1 << 24)
  for (const start of byStart.keys()) starts[start] = 1
  return (bytes) => {
    const found = new Set<Needle>()
    let start = bytes.length > 2 ? bytes.readUInt16BE(0) : 0
    for (let at = 2; at < bytes.length; at++) {
      start = ((start << 8) | (bytes[at] ?? 0)) & 0xffffff
      if (starts[start] === 0) continue
      for (const needle of byStart.get(start) ?? []) {
        const from = at - 2
        if (needle.bytes.compare(bytes, from, Math.min(bytes.length, from + needle.bytes.length)) === 0)
          found.add(needle)
      }
    }
    return [...found]
  }
}
