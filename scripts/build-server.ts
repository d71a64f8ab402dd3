// What production runs, as one folder that needs nothing beside itself: the service in a few files instead of a thousand, and whatever
// it reads, each in its place of the repository. `npm run build` writes `dist/`; tests and benches build folders of their own.
import { cpSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { docsFiles } from '../server/src/modules/docs/index.ts'
import { findFiles } from './files.ts'

const ROOT = path.join(import.meta.dirname, '..')
const SERVER = path.join(ROOT, 'server')

/** The engine stays a package: it finds the files of PostgreSQL beside its own. */
const ENGINE = 'node_modules/@electric-sql/pglite'
const READ = [
  'LICENSE',
  'config/*.json',
  'server/migrations/*.{sql,json}',
  'server/src/**/*.{css,js}',
  'docs/*.png',
  'widget/dist/**/*.js',
  `${ENGINE}/{package.json,LICENSE}`,
  `${ENGINE}/dist/**/*.js`,
  `${ENGINE}/dist/{pglite.wasm,pglite.data,initdb.wasm}`,
]

/** A file that runs in a thread of its own is called worker.ts, or ends in -thread.ts, and is an entry under its own name. */
const THREADS = findFiles('server/src/**/*.ts', { cwd: ROOT }).filter((file) => /(\/worker|-thread)\.ts$/.test(file))
// A list, because esbuild then refuses two entries of one name.
const ENTRIES = [
  { out: 'start', in: 'server/start.mjs' },
  ...THREADS.map((file) => ({ out: path.basename(file, '.ts'), in: file })),
]

/** `more` are entries that only a proof has; they see the same modules as the service. */
export async function buildServer(folder: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const entries = [...ENTRIES, ...Object.entries(more).map(([out, file]) => ({ out, in: file }))]
  const { outputFiles, metafile, warnings } = await build({
    absWorkingDir: ROOT,
    entryPoints: entries,
    inject: ['server/src/process/source-positions.ts'],
    bundle: true,
    // What is loaded with its first use stays apart, and the thread of the database shares what it needs.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: ['@electric-sql/pglite', 'pg-native'],
    plugins: [inEnglish, inPlace(entries.map(({ out }) => out))],
    // Packages that are CommonJS ask for Node's own modules.
    banner: {
      js: `import { createRequire as madeHere } from 'node:module'; const require = madeHere(import.meta.url);`,
    },
    // As if it were written there: the maps name the sources as they stand from here.
    outdir: SERVER,
    outExtension: { '.js': '.mjs' },
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'silent',
    tsconfigRaw: {},
  })
  const faults = [...warnings.map(({ text }) => text), ...lateCommonJs(metafile)]
  if (faults.length > 0) throw new Error(`The bundle would not be the service: ${faults.join(' ')}`)
  for (const file of outputFiles) write(path.join(folder, path.relative(ROOT, file.path)), file.contents)
  const read = findFiles(READ, { cwd: ROOT, exclude: ['**/fixtures/**'] })
  for (const file of new Set(
    [...read, ...(await docsFiles())].filter((name) => statSync(path.join(ROOT, name)).isFile()),
  ))
    cpSync(path.join(ROOT, file), path.join(folder, file))
  write(path.join(folder, 'package.json'), manifest())
  write(path.join(folder, 'THIRD-PARTY.txt'), notices(Object.keys(metafile.inputs)))
}

/** A start reads its settings with zod before anything else can begin, and half of zod is messages in languages that nobody asks for. */
const inEnglish: Plugin = {
  name: 'in English',
  setup({ onLoad }) {
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({ contents: '' }))
  },
}

/** Whatever finds a file by `import.meta` finds it from where the module stands in the repository, and a script of ours as an entry. */
const inPlace = (entries: readonly string[]): Plugin => ({
  name: 'in place',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|m?js)$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8')
      if (!/\bimport\.meta\b/.test(text)) return undefined
      const place = path.relative(SERVER, file)
      if (place.includes('node_modules'))
        return { errors: [{ text: `${place} finds its own files, so it has to be external.` }] }
      const contents = text.replace(
        /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)|import\.meta\.(url|dirname)\b/g,
        (found, script: string | undefined, member: string | undefined) => {
          if (script !== undefined && !entries.includes(script)) throw new Error(`${place}: "${script}" is no entry.`)
          if (script !== undefined) return found.replace('.ts', '.mjs')
          return member === 'url'
            ? `new URL(${JSON.stringify(`./${place}`)}, import.meta.url).href`
            : `(import.meta.dirname + ${JSON.stringify(`/${path.dirname(place)}`)})`
        },
      )
      return { contents, loader: file.endsWith('.ts') ? 'ts' : 'js' }
    })
  },
})

/** A bundle gives `await import()` of a CommonJS package its default alone, where Node names its members. */
function lateCommonJs({ inputs }: Metafile): string[] {
  return Object.entries(inputs).flatMap(([file, { imports }]) =>
    imports
      .filter(({ kind, path: to }) => kind === 'dynamic-import' && inputs[to]?.format === 'cjs')
      .map(({ path: to }) => `${file} loads ${to} late, which is CommonJS: load a module of ours that imports it.`),
  )
}

/**
 * With the commands of the service, so that `npm run migrate` is the same line everywhere. As a package it has a name of its own, and
 * takes the engine along, because npm leaves `node_modules` out of a tarball but for what is named here.
 */
function manifest(): string {
  const { version, license, scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    [member in 'version' | 'license']: string
  } & { scripts: Record<string, string> }
  const own = Object.entries(scripts).filter(([, command]) => command.startsWith('exec node server/start.mjs'))
  const engine = ENGINE.slice('node_modules/'.length)
  const { version: engineVersion } = JSON.parse(readFileSync(path.join(ROOT, ENGINE, 'package.json'), 'utf8')) as {
    version: string
  }
  const said = {
    name: '@tether/service',
    version,
    private: true,
    license,
    engines: { node: '>=24' },
    dependencies: { [engine]: engineVersion },
    bundleDependencies: [engine],
    scripts: Object.fromEntries(own),
  }
  return `${JSON.stringify(said, null, 2)}\n`
}

/** The licenses of what is bundled: they go where its code goes. */
function notices(inputs: readonly string[]): string {
  const packages = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []))
  return [...packages]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'))
      const texts = globSync('{LICENSE,LICENCE,NOTICE,license}*', { cwd: path.join(ROOT, folder) })
      const text = texts.map((file) => readFileSync(path.join(ROOT, folder, file), 'utf8').trim())
      return [`${name} ${version} (${license})`, ...text].join('\n\n')
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
}

function write(file: string, contents: string | Uint8Array): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, contents)
}
