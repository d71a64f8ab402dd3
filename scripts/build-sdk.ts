// The SDK as an integrator's server loads it: one file of JavaScript for any Node from 18 on, and its types. TypeScript is run by
// newer ones alone, and by none from inside `node_modules`. `npm run generate` writes it, `npm run check` holds it fresh.
import path from 'node:path'
import { build } from 'esbuild'
import ts from 'typescript'

const ENTRY = path.join(import.meta.dirname, '../sdk/src/index.ts')

export async function buildSdk(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: ['es2022', 'node18'],
    charset: 'utf8',
    banner: { js: '// @tether/sdk, MIT. Made by `npm run generate` from sdk/src.' },
    tsconfigRaw: {},
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error('esbuild wrote nothing')
  return file.text
}

/** Each file of types that the entry leads to, by its path in the repository. */
export function sdkTypes(): Readonly<Record<string, string>> {
  const made: Record<string, string> = {}
  const program = ts.createProgram([ENTRY], {
    declaration: true,
    emitDeclarationOnly: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    types: ['node'],
    skipLibCheck: true,
  })
  program.emit(undefined, (name, text) => {
    made[`sdk/dist/${path.basename(name)}`] = text.replace(/(from ')(\.\/[^']+)\.ts'/g, "$1$2.js'")
  })
  return reachable('sdk/dist/index.d.ts', made)
}

function reachable(file: string, made: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const text = made[file] ?? ''
  const others = [...text.matchAll(/from '\.\/([^']+)\.js'/g)].map(([, name]) => `sdk/dist/${name}.d.ts`)
  return Object.assign({ [file]: text }, ...others.map((other) => reachable(other, made)))
}
