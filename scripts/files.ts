import { globSync } from 'node:fs'

/**
 * The files that match, in order. Every pattern and every alternative in braces has to match something: a check that looks for files
 * under an old name would otherwise pass because it reads nothing. Packages are left out unless the pattern names them.
 */
export function findFiles(
  patterns: string | readonly string[],
  { cwd = '.', exclude = [] }: { readonly cwd?: string; readonly exclude?: readonly string[] } = {},
): string[] {
  const found = [patterns]
    .flat()
    .flatMap(expandBraces)
    .flatMap((pattern) => {
      const files = globSync(pattern, {
        cwd,
        exclude: pattern.includes('node_modules') ? exclude : ['**/node_modules/**', ...exclude],
      })
      if (files.length === 0) throw new Error(`No file matches "${pattern}". Correct the pattern, or take it out.`)
      return files
    })
  return [...new Set(found)].sort()
}

/** `a/{b,c}` as `a/b` and `a/c`. */
function expandBraces(pattern: string): string[] {
  const braces = /^(.*?)\{([^{}]*)\}(.*)$/.exec(pattern)
  if (braces === null) return [pattern]
  const [, before = '', alternatives = '', after = ''] = braces
  return alternatives.split(',').flatMap((one) => expandBraces(`${before}${one}${after}`))
}
