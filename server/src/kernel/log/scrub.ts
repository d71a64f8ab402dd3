// The last wall between a secret and the log. It checks the finished line, so nothing that writes a log can forget it.
// It works on JSON text, where a line break is the letters `\n`. So "no letter before it" needs care (START), and a
// replacement must never remove half of an escape. Every pattern is linear or bounded, because lines hold strangers'
// text.

const MASK = '***'

/** Lists show the first 12 characters of a key, too; only the rest is secret. */
const KEY_PREFIX = 12

// Matches at the start of a word. A JSON escape before it does not count as a letter.
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt])|(?<=\\u[0-9a-fA-F]{4}))`
const KEY_KIND = 't(?:th|ag|pk|ac|pv|ib|sb|ci|ck|us)_'

// With hex digits it is a key after any letter (`keytth_0a1b…`); with other letters only at the start of a word,
// because `status_transitions` is not a key.
const key = new RegExp(
  [
    `${KEY_KIND}[0-9a-fA-F]{9,}[\\w-]*`,
    `${START}${KEY_KIND}[A-Za-z0-9]{9,}[\\w-]*`,
    `${START}${KEY_KIND}(?=[\\w-]{0,64}\\d)[\\w-]{16,}`,
  ].join('|'),
  'g',
)

// One character inside a quoted JSON text, including an escaped quote, backslash or slash.
const INSIDE = String.raw`(?:[^\s"\\]|\\["\\/])`

type ScrubRule = {
  /** The pattern cannot match without this text, and searching for text is far cheaper. */
  readonly needs: string
  readonly pattern: RegExp
  replace(found: string, kept?: string): string
}

const keepStart = (_: string, kept?: string): string => `${kept}${MASK}`

const rules: readonly ScrubRule[] = [
  { needs: '_', pattern: key, replace: (found) => `${found.slice(0, KEY_PREFIX)}${MASK}` },
  { needs: 'whsec_', pattern: /(whsec_)(?:[\w+/=-]|\\{1,4}\/|%[0-9A-Fa-f]{2})+/g, replace: keepStart },
  { needs: 'enc:v1:', pattern: /(enc:v1:)[\w+/=:.-]+/g, replace: keepStart },
  { needs: '', pattern: new RegExp(`(bearer(?:\\s|\\\\[nrt]|%20|\\+){1,8})${INSIDE}+`, 'gi'), replace: keepStart },
  { needs: 'eyJ', pattern: /[\w.-]{12,}/g, replace: hideToken },
  { needs: 'sk-', pattern: new RegExp(`${START}(sk-)[\\w-]{8,}`, 'g'), replace: keepStart },
  {
    needs: '@',
    pattern: new RegExp(
      `((?:postgres|postgresql|rediss?|smtps?):\\/\\/(?:[^\\s:@"\\\\]|\\\\["\\\\/]){0,200}:)${INSIDE}{0,1000}(?=@)`,
      'gi',
    ),
    replace: keepStart,
  },
  { needs: '@', pattern: /(https?:\/\/[^\s:/@?#"\\]{0,200}:)[^\s/@?#"\\]{1,1000}(?=@)/gi, replace: keepStart },
  {
    needs: '=',
    pattern: /((?:password|passwd|secret|token|api[_-]?key|[?&](?:confirm|link|code))=)(?:[^&\s"\\#]|\\["\\/])+/gi,
    replace: keepStart,
  },
]

// Matches wherever a rule could, so that a clean line costs only this one pass.
const suspect = new RegExp(
  `${KEY_KIND}[\\w-]{9}|whsec_|enc:v1:|bearer|eyJ|sk-|(?:password|passwd|secret|token|key|confirm|link|code)=`,
  'i',
)

const isSuspect = (line: string): boolean => suspect.test(line) || (line.includes('://') && line.includes('@'))

/** Masks everything that looks like a secret of ours or of another party. */
export function scrub(line: string): string {
  if (!isSuspect(line)) return line
  let text = line
  for (const { needs, pattern, replace } of rules) if (text.includes(needs)) text = text.replace(pattern, replace)
  return text
}

/** Masks a signed token (`eyJ….….…`). A dot must follow, because the first part alone is harmless. */
function hideToken(run: string): string {
  const start = run.indexOf('eyJ')
  return start >= 0 && run.indexOf('.', start) > start ? `${run.slice(0, start)}eyJ${MASK}` : run
}

// A shorter value may be an ordinary word, which the log would then lose.
const SHORTEST_EXACT = 12

/** Also masks exact values, for secrets that have no typical form, such as the operator's key. */
export function scrubWith(secrets: readonly string[]): (line: string) => string {
  const texts = secrets
    .filter((secret) => secret.length >= SHORTEST_EXACT)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
  if (texts.length === 0) return scrub
  const longestFirst = [...new Set(texts)].sort((one, other) => other.length - one.length)
  const literal = longestFirst.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')
  // After a backslash that is not itself escaped, the first letter belongs to an escape, so the text is a different
  // one.
  const pattern = new RegExp(`(?<=(?<!\\\\)(?:\\\\\\\\)*)(?:${literal})`, 'g')
  return (line) => scrub(longestFirst.some((text) => line.includes(text)) ? line.replace(pattern, MASK) : line)
}
