// `npm run pack`: the three tarballs with which somebody begins in an empty folder, in `packed/`. See docs/cli.md.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildServer } from './build-server.ts'

const ROOT = path.join(import.meta.dirname, '..')
const PACKED = path.join(ROOT, 'packed')

rmSync(PACKED, { recursive: true, force: true })
mkdirSync(PACKED)
const service = mkdtempSync(path.join(tmpdir(), 'tether-pack-'))
try {
  await buildServer(service)
  for (const folder of [path.join(ROOT, 'cli'), path.join(ROOT, 'sdk'), service]) {
    const name = execFileSync('npm', ['pack', folder, '--silent', '--ignore-scripts'], {
      cwd: PACKED,
      encoding: 'utf8',
    }).trim()
    console.log(path.relative(process.cwd(), path.join(PACKED, name)))
  }
} finally {
  rmSync(service, { recursive: true, force: true })
}
