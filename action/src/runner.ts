// What a step says to the runner of GitHub: the lines and files that @actions/core would write, which are few.
import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { oneLine } from './markdown.ts'
import type { Surroundings } from './surroundings.ts'

export type Runner = {
  /** From now on this text stands in nothing that the step writes, and the runner hides it in everything else. */
  mask(secret: string): void
  /** A line of the log, which begins with a word of ours. */
  say(line: string): void
  notice(message: string): void
  warn(message: string): void
  fail(message: string): void
  output(name: string, value: string | number): void
  summary(markdown: string): void
  /** The same text without the secrets. */
  clean(text: string): string
}

const LONGEST_LINE = 2_000
const SHORTEST_SECRET = 8

export function openRunner({ env, stdout }: Pick<Surroundings, 'env' | 'stdout'>): Runner {
  const secrets: string[] = []
  const clean = (text: string) => secrets.reduce((all, secret) => all.replaceAll(secret, '***'), text)
  // The runner reads `##[…]` as a command wherever it stands in a line, and `::…` where a line begins.
  const line = (text: string) => clean(oneLine(text)).slice(0, LONGEST_LINE).replaceAll('##[', '## [')
  const write = (text: string) => void stdout.write(`${text}\n`)
  const annotate = (kind: 'notice' | 'warning' | 'error') => (message: string) =>
    write(`::${kind} title=Tether::${line(message).replaceAll('%', '%25')}`)
  const append = (file: string | undefined, text: string) => {
    if (file !== undefined && file !== '') appendFileSync(file, text)
  }
  return {
    mask(secret) {
      // What is shorter would hide words of the log, and is no secret of this kind.
      if (secret.length < SHORTEST_SECRET) return
      secrets.push(secret)
      write(`::add-mask::${secret.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}`)
    },
    say: (text) => write(line(text)),
    notice: annotate('notice'),
    warn: annotate('warning'),
    fail: annotate('error'),
    output(name, value) {
      // Nobody can know it beforehand, and so nothing of the value can end it.
      const end = `end_${randomUUID()}`
      append(env.GITHUB_OUTPUT, `${name}<<${end}\n${clean(String(value))}\n${end}\n`)
    },
    summary: (markdown) => append(env.GITHUB_STEP_SUMMARY, `${clean(markdown)}\n`),
    clean,
  }
}
