import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { dependentsOf } from './import-graph.ts'

/** What every command that runs tests takes. */
export type TestOptions = {
  /** Files, or parts of their paths. */
  readonly words: readonly string[]
  /** Only the tests with exactly this name. */
  readonly name: string | undefined
  /** Only files that depend on a change since the merge base with `main`, uncommitted changes included. */
  readonly changed: boolean
  readonly verbose: boolean
}

export function testOptions(argv: readonly string[]): TestOptions {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      changed: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
    },
  })
  return { words: positionals, name: values.name, changed: values.changed, verbose: values.verbose }
}

/** Those of the files that the options ask for. A word that is the whole path of a file means only that file. */
export function selectFiles(files: readonly string[], { words, changed }: TestOptions): string[] {
  const exact = new Set(files.filter((file) => words.includes(file)))
  const parts = words.filter((word) => !exact.has(word))
  const named = files.filter(
    (file) => words.length === 0 || exact.has(file) || parts.some((part) => file.includes(part)),
  )
  if (!changed) return named
  const dependents = dependentsOf(changedFiles())
  return named.filter((file) => dependents.has(file))
}

/** Says why nothing was selected. */
export function describeNoFiles({ words, changed }: TestOptions, kind = 'test file'): string {
  const called = words.length === 0 ? '' : ` is called like ${words.join(' or ')}`
  const depends = changed ? `${called === '' ? '' : ' and'} depends on what changed` : ''
  return `No ${kind}${called}${depends}.`
}

/** What `--changed` prints before the run, so that a selection that is far too small or too large is seen. */
export const describeChoice = (chosen: number, all: number, kind = 'test files'): string =>
  `${chosen} of ${all} ${kind} depend on what changed.`

function changedFiles(): string[] {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' })
  const main = ['main', 'origin/main'].find((branch) => branches(git).includes(branch))
  const base = main === undefined ? 'HEAD' : git('merge-base', 'HEAD', main).trim()
  const listed = [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')]
  return listed.flatMap((text) => text.split('\n')).filter((file) => file !== '')
}

const branches = (git: (...args: string[]) => string): string[] =>
  git('branch', '--all', '--format=%(refname:short)').split('\n')
