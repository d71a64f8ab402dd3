// The CLI as npm installs it: one file of JavaScript with the SDK's client in it. `npm run generate` writes it, `npm run check` holds it fresh.
import path from 'node:path'
import { build } from 'esbuild'

export async function buildCli(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, '../cli/src/main.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: ['es2022', 'node18'],
    // A start reads the whole file.
    minifySyntax: true,
    minifyWhitespace: true,
    charset: 'utf8',
    banner: { js: '// @tether/cli, MIT. Made by `npm run generate` from cli/src.' },
    tsconfigRaw: {},
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error('esbuild wrote nothing')
  return file.text
}
