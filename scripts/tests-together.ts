// Several test files in one process, one after another: each is a suite, and what all of them import is loaded once.
import { createRequire, registerHooks } from 'node:module'
import { suite } from 'node:test'

const load = createRequire(import.meta.url)

/** Whose fixture it is, for one that a test file imports, or another fixture of that file. */
const OF = 'of'

function ownerOf(parent: string | undefined): string | undefined {
  if (parent === undefined) return undefined
  const { pathname, searchParams } = new URL(parent)
  return pathname.endsWith('.test.ts') ? pathname : (searchParams.get(OF) ?? undefined)
}

/** Each file runs its fixtures anew, as in a process of its own: what they open before the tests they close after them. */
function giveEachFileItsFixtures(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const owner = found.url.includes('/fixtures/') ? ownerOf(context.parentURL) : undefined
      if (owner === undefined || !found.url.endsWith('.ts')) return found
      return { ...found, url: `${found.url}?${new URLSearchParams({ [OF]: owner })}` }
    },
  })
}

/** Paths of files as they are to be reported, from the folder where the process runs. */
export function runTogether(files: readonly string[]): void {
  giveEachFileItsFixtures()
  for (const file of files) {
    suite(file, () => {
      // By `require`, because whatever a module declares while an `import` waits belongs to no suite.
      load(`${process.cwd()}/${file}`)
    })
  }
}
