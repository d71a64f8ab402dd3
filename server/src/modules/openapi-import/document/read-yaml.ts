import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { openTurnstile, openTurnstiles } from '../../../tenancy/limits/index.ts'
import { longestYaml, longestYamlMs, mostYamlMarks, mostYamlMegabytes } from '../limits.ts'
import { DocumentRefused } from './reading.ts'
import type { YamlRead } from './yaml.ts'

/** Runs a reading when its turn comes. */
export type YamlTurn = (read: () => Promise<YamlRead>) => Promise<YamlRead>

const atOnce: YamlTurn = (read) => read()

/** Reads YAML in another thread, so that others have their turn meanwhile. Answers the JSON that it stands for, as text. */
export async function jsonFromYaml(text: string, inTurn = atOnce): Promise<string> {
  if (text.length > longestYaml)
    throw new DocumentRefused(
      `The YAML of the document is longer than ${longestYaml / 1024 / 1024} MiB. Convert it to JSON and send that.`,
    )
  if (!hasAtMost(mostYamlMarks, text))
    throw new DocumentRefused(
      `The YAML of document has more than ${mostYamlMarks} lines and values. Convert it to JSON and send that.`,
    )
  const read = await inTurn(() => readInThread(text))
  if ('fault' in read)
    throw new DocumentRefused(`The YAML of document cannot be read: ${read.fault}. Correct it, or send JSON.`)
  return read.json
}

/**
 * The queue of the YAML documents of one service. One is read at a time, so that reading takes no more than one processor. Each
 * workspace has at most one document in that queue, so that the others wait for one of its documents and not for all of them.
 */
export function openYamlQueue(): (tenantId: number) => YamlTurn {
  const inLine = openTurnstile(1)
  const inOwnLine = openTurnstiles<number>(1)
  return (tenantId) => (read) => inOwnLine(tenantId, () => inLine(read))
}

async function readInThread(text: string): Promise<YamlRead> {
  const thread = new Worker(new URL('./yaml-thread.ts', import.meta.url), {
    workerData: text,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: mostYamlMegabytes },
  })
  const deadline = AbortSignal.timeout(longestYamlMs)
  try {
    const [read] = await once(thread, 'message', { signal: deadline })
    // The cast is true because that is all that the thread sends.
    return read as YamlRead
  } catch (error) {
    if (deadline.aborted || isOutOfMemory(error)) return { fault: 'it takes more time or memory than it may' }
    throw error
  } finally {
    await thread.terminate()
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

/** What a parser pays for is where something begins: a line, an item of a list in brackets, the bracket itself. */
function hasAtMost(most: number, text: string): boolean {
  let marks = 0
  for (const _ of text.matchAll(/[\r\n,[{]/g)) if (++marks > most) return false
  return true
}
