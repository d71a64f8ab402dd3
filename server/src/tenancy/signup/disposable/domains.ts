import { readFileSync } from 'node:fs'
import { foldAddress } from '../../../kernel/crypto/index.ts'
import { once } from '../../../kernel/memo/index.ts'

/** Read when the first stranger comes: a start does not wait for it. */
const builtIn = once(
  () =>
    new Set(
      readFileSync(new URL('./domains.txt', import.meta.url), 'utf8')
        .trim()
        .split('\n'),
    ),
)

/** Whether an address lies on a disposable or blocked domain, or on a subdomain of one. */
export function isDisposable(email: string, blocked: readonly string[]): boolean {
  const folded = foldAddress(email)
  const labels = folded.slice(folded.lastIndexOf('@') + 1).split('.')
  const ends = labels.map((_, at) => labels.slice(at).join('.'))
  return ends.some((domain) => builtIn().has(domain) || blocked.includes(domain))
}
