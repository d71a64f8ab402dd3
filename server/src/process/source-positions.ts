// The first thing that runs in the bundle (`npm run build`), and nowhere else: stack traces lead to the sources. Node can do that
// itself (--enable-source-maps), but then it reads every map at the start, which takes longer than loading the code.
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

const IN_BUNDLE = /(file:\/\/[^()\s]+):(\d+):(\d+)/

// Only the frames are read: the words of an error may be a stranger's.
function leadTracesToSources(): void {
  const maps = new Map<string, SourceMap | undefined>()
  Error.prepareStackTrace = (error, frames) =>
    [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${inSources(String(frame), maps)}`)].join(
      '\n',
    )
}

const inSources = (frame: string, maps: Map<string, SourceMap | undefined>): string =>
  frame.replace(IN_BUNDLE, (written, file: string, line, column) => {
    if (!maps.has(file)) maps.set(file, readMap(`${file}.map`))
    const origin = maps.get(file)?.findOrigin(Number(line), Number(column))
    return origin !== undefined && 'fileName' in origin
      ? `${new URL(origin.fileName, file)}:${origin.lineNumber}:${origin.columnNumber}`
      : written
  })

/** Undefined where there is none: a trace without positions is better than none. */
function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(url), 'utf8')))
  } catch {
    return undefined
  }
}

leadTracesToSources()
