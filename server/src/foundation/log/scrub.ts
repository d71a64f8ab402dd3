// The last wall between a secret and the log: it looks at the finished line, so nothing that writes a log can forget it.
// It works on JSON text. There a line break stands as the letters `\n`, so "a letter before it" needs care (START), and a
// replacement may never take half of an escape away. Every pattern is linear or bounded: lines hold what strangers send.

const MASK = '***'

/** Keys show their first 12 characters in lists, too; only what follows them is secret. */
const KEY_PREFIX = 12

// Not in the middle of a word; a JSON escape before it is no letter.
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt])|(?<=\\u[0-9a-fA-F]{4}))`
const KEY_KIND = 't(?:th|ag|pk|ac|pv|ib|sb|ci|ck|us)_'

// Hex may follow anything (`keytth_0a1b…`); other letters only count at the start of a word (`status_transitions` is none).
const key = new RegExp(
  [
    `${KEY_KIND}[0-9a-fA-F]{9,}[\\w-]*`,
    `${START}${KEY_KIND}[A-Za-z0-9]{9,}[\\w-]*`,
    `${START}${KEY_KIND}(?=[\\w-]{0,64}\\d)[\\w-]{16,}`,
  ].join('|'),
  'g',
)

// A character inside a quoted JSON text, an escaped quote, backslash or slash included.
const INSIDE = String.raw`(?:[^\s"\\]|\\["\\/])`

type Rule = {
  /** Without this text in the line the pattern cannot match, and looking for a text is far cheaper. */
  readonly needs: string
  readonly pattern: RegExp
  replace(found: string, kept?: string): string
}

const keepStart = (_: string, kept?: string): string => `${kept}${MASK}`

const rules: readonly Rule[] = [
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

// Matches wherever one of the rules could, so that a clean line costs this one pass.
const suspect = new RegExp(
  `${KEY_KIND}[\\w-]{9}|whsec_|enc:v1:|bearer|eyJ|sk-|(?:password|passwd|secret|token|key|confirm|link|code)=`,
  'i',
)

const isSuspect = (line: string): boolean => suspect.test(line) || (line.includes('://') && line.includes('@'))

/** Masks whatever is shaped like a secret of ours, or like those that others give us. */
export function scrub(line: string): string {
  if (!isSuspect(line)) return line
  let text = line
  for (const { needs, pattern, replace } of rules) if (text.includes(needs)) text = text.replace(pattern, replace)
  return text
}

/** A signed token (`eyJ….….…`): its first part alone is harmless, so a dot has to follow. */
function hideToken(run: string): string {
  const start = run.indexOf('eyJ')
  return start >= 0 && run.indexOf('.', start) > start ? `${run.slice(0, start)}eyJ${MASK}` : run
}

// A shorter one may be an ordinary word, and then the log would lose that word.
const SHORTEST_EXACT = 12

/** Masks exact values as well: secrets without a shape of their own, such as the operator's key. */
export function scrubWith(secrets: readonly string[]): (line: string) => string {
  const texts = secrets
    .filter((secret) => secret.length >= SHORTEST_EXACT)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
  if (texts.length === 0) return scrub
  const longestFirst = [...new Set(texts)].sort((one, other) => other.length - one.length)
  const literal = longestFirst.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')
  // Where a backslash stands before it that is not itself escaped, its first letter belongs to an escape: another text.
  const pattern = new RegExp(`(?<=(?<!\\\\)(?:\\\\\\\\)*)(?:${literal})`, 'g')
  return (line) => scrub(longestFirst.some((text) => line.includes(text)) ? line.replace(pattern, MASK) : line)
}
