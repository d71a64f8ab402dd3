// The GitHub Action as a runner loads it: one file, as others read it before they trust it, so nothing is made shorter. `npm run generate`
// writes it, `npm run check` holds it fresh.
import path from 'node:path'
import { build } from 'esbuild'

export async function buildAction(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, '../action/src/main.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    charset: 'utf8',
    legalComments: 'none',
    banner: { js: '// The GitHub Action of Tether, Apache-2.0. Made by `npm run generate` from action/src.' },
    tsconfigRaw: {},
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error('esbuild wrote nothing')
  return file.text
}
