import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type Packed, tagOf } from '../../kernel/http/index.ts'

const DIRECTORY = path.resolve(import.meta.dirname, '../../../../widget/dist')

/** A build of the widget, compressed once and as small as possible. */
export type PackedScript = Packed & {
  /** The name of the copy that never changes. */
  readonly name: string
  readonly integrity: string
}

export type Scripts = {
  readonly present: PackedScript
  /** What a page pinned, and the second file of each. */
  readonly byName: ReadonlyMap<string, PackedScript>
}

/**
 * Reads the current build and those of earlier releases in `released`, so that a page that pinned one of them still
 * gets it.
 */
export function readScripts(directory = DIRECTORY): Scripts {
  const present = packScript(readFileSync(path.join(directory, 'service-assistant.js')))
  const more = packScript(readFileSync(path.join(directory, 'service-assistant-more.js')))
  const released = filesIn(path.join(directory, 'released')).map((file) => packScript(readFileSync(file)))
  return { present, byName: new Map([...released, more, present].map((script) => [script.name, script])) }
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory).map((name) => path.join(directory, name))
  } catch {
    return []
  }
}

export function packScript(bytes: Buffer): PackedScript {
  const digest = createHash('sha384').update(bytes).digest()
  const tag = tagOf(bytes)
  return {
    name: `service-assistant.${tag}.js`,
    integrity: `sha384-${digest.toString('base64')}`,
    type: 'text/javascript; charset=utf-8',
    etag: `"${tag}"`,
    bodies: {
      br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
      gzip: gzipSync(bytes, { level: 9 }),
      identity: bytes,
    },
  }
}
