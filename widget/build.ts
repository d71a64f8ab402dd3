// Bundles the widget into one file. `npm run generate` writes it, `npm run check` compares it, and browser tests build their own.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { build, type Plugin, transform } from 'esbuild'
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

export async function buildWidget(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(ROOT, 'src/index.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
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
