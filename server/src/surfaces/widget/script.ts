import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const DIRECTORY = path.resolve(import.meta.dirname, '../../../../widget/dist')

export type ScriptCoding = 'br' | 'gzip' | 'identity'

/** A build of the widget, compressed once and as small as possible. */
export type PackedScript = {
  /** The name of the copy that never changes. */
  readonly name: string
  readonly integrity: string
  readonly etag: string
  readonly bodies: Readonly<Record<ScriptCoding, Buffer>>
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
  const hash = digest.toString('hex').slice(0, 16)
  return {
    name: `service-assistant.${hash}.js`,
    integrity: `sha384-${digest.toString('base64')}`,
    etag: `"${hash}"`,
    bodies: {
      br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
      gzip: gzipSync(bytes, { level: 9 }),
      identity: bytes,
    },
  }
}

/** Chooses the smallest encoding that the caller accepts. */
export function acceptedCoding(header: string): ScriptCoding {
  const taken = new Set(
    header
      .toLowerCase()
      .split(',')
      .map((part) => part.split(';').map((piece) => piece.trim()))
      .flatMap(([name = '', ...parameters]) => (parameters.some((one) => /^q=0(\.0+)?$/.test(one)) ? [] : [name])),
  )
  return (['br', 'gzip'] as const).find((coding) => taken.has(coding)) ?? 'identity'
}

/** True if the caller's copy is current. A proxy that compressed it may have made the tag a weak one. */
export const matchesTag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => [etag, '*'].includes(tag.trim().replace(/^W\//, ''))) === true
