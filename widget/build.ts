// Bundles the widget: the file that a page loads, and a second one that the first loads when its window opens. `npm run generate` writes it, `npm run check` compares it, and browser tests build their own.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type BuildOptions, build, type Plugin, transform } from 'esbuild'
import { LETTERS } from './src/letters.ts'
import { KA } from './src/words-ka.ts'

const ROOT = import.meta.dirname
const BANNER = '/* Tether, MIT */'

/** Minifies the style sheet, and turns Georgian letters (three bytes each) into Latin ones. */
const shorter: Plugin = {
  name: 'shorter',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path: file }) => {
      const { code } = await transform(await readFile(file, 'utf8'), { loader: 'css', minify: true })
      // esbuild leaves the values of custom properties as they are. No text of this sheet has a comma or a colon in it.
      return { contents: code.trim().replace(/(?<=[,:/]) | (?=\/)/g, ''), loader: 'text' }
    })
    onLoad({ filter: /words-ka\.ts$/ }, () => {
      const latin = KA.replace(/[ა-ჰ]/g, (letter) => LETTERS[letter.charCodeAt(0) - 0x10d0] ?? letter)
      return { contents: `export const KA = ${JSON.stringify(latin)}` }
    })
  },
}

/** The second file is a module, which the first one imports by the name of exactly this build. */
export const buildMore = (): Promise<string> => bundle('src/more.ts', { format: 'esm' })

export async function buildWidget(): Promise<string> {
  const name = `service-assistant.${createHash('sha384')
    .update(await buildMore())
    .digest('hex')
    .slice(0, 16)}.js`
  return await bundle('src/index.ts', { format: 'iife', define: { MORE: JSON.stringify(name) } })
}

async function bundle(entry: string, options: Pick<BuildOptions, 'format' | 'define'>): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [path.join(ROOT, entry)],
    bundle: true,
    minify: true,
    write: false,
    target: ['es2022', 'chrome114', 'firefox125', 'safari17'],
    charset: 'utf8',
    legalComments: 'none',
    banner: { js: BANNER },
    plugins: [shorter],
    tsconfigRaw: {},
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error('esbuild wrote no file. Check the entry point of the widget.')
  return file.text
}
