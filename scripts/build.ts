// `npm run build`: `dist/`, which production runs. See docs/operations.md.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { buildServer } from './build-server.ts'

const DIST = path.join(import.meta.dirname, '../dist')

rmSync(DIST, { recursive: true, force: true })
await buildServer(DIST)
console.log('dist/ is what production runs: `npm start` in it, or copy it to where it is to run.')
