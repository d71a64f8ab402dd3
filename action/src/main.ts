import { setTimeout } from 'node:timers/promises'
import { run } from './run.ts'

const { env, stdout } = process
process.exitCode = await run({ env, stdout, fetch, wait: (ms) => setTimeout(ms) })
