// Where the service is that `tether dev` starts: a package of its own beside the CLI, or the clone that the CLI stands in.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../command.ts'

const PACKAGE = '@tether/service'
const START = 'server/start.mjs'
const NODE_MAJOR = 24

export function serviceFolder(named: string | undefined): string {
  const folder = named === undefined ? (installed() ?? clone()) : path.resolve(named)
  if (folder === undefined) throw new UsageError(NOT_HERE)
  if (!existsSync(path.join(folder, START)))
    throw new UsageError(`${folder} has no ${START}. Name the folder of the service, or a clone of its repository.`)
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major < NODE_MAJOR)
    throw new UsageError(
      `The service needs Node ${NODE_MAJOR}, and this is ${process.version}. The other commands run here.`,
    )
  return folder
}

const NOT_HERE = `The service is not installed here. Install its package (npm install ./tether-service-….tgz; \`npm run pack\` in a clone of the repository makes it), or name a clone: tether dev --service ../tether. With a service that runs elsewhere, say \`tether login\`.`

function installed(): string | undefined {
  for (const from of [path.resolve('package.json'), import.meta.url])
    try {
      return path.dirname(createRequire(from).resolve(`${PACKAGE}/package.json`))
    } catch {}
  return undefined
}

/** Of a CLI that was never packed. */
function clone(): string | undefined {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  return existsSync(path.join(root, START)) && existsSync(path.join(root, 'cli/package.json')) ? root : undefined
}
