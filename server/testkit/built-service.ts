import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildServer } from '../../scripts/build-server.ts'

/** What `npm run build` makes, in a folder of its own that lies outside of the repository and goes with this process. */
export async function builtService(more?: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-built-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await buildServer(folder, more)
  return folder
}
