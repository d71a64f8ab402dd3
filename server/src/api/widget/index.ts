import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { type Answer, type Packed, packedAnswer, refuse, tagOf } from '../../kernel/http/index.ts'
import { once } from '../../kernel/memo/index.ts'
import { ANYONE, type Route, route } from '../../tenancy/access/index.ts'
import { SCRIPT_PATH } from '../embed/index.ts'

const here = { reach: ANYONE, lane: 'none', group: 'Widget', method: 'GET' } as const
// Any page may load the script and check its integrity value. The default headers would forbid both.
const FOR_EVERY_PAGE = { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' }
// Fresh for a few minutes, then usable for a day while a newer one is fetched, so that a fix reaches every page by itself.
const SOON_STALE = 'public, max-age=300, stale-while-revalidate=86400'
const FOR_EVER = 'public, max-age=31536000, immutable'

const WidgetBuild = z
  .object({
    scriptPath: z.string().meta({ description: 'The path that always serves the current build.' }),
    pinnedPath: z.string().meta({ description: 'The path that serves this build for ever.' }),
    integrity: z.string().meta({ description: 'For the `integrity` attribute of the pinned script.' }),
    bytes: z.int().meta({ description: 'The size of the script, compressed with gzip.' }),
    offline: z
      .boolean()
      .meta({ description: 'True if no language model is set up here. The widget says so before the first question.' }),
  })
  .meta({ id: 'WidgetBuild' })

const scriptAnswers = {
  200: { text: 'text/javascript' },
  304: { text: 'text/javascript', description: 'Your copy is current.' },
} as const

export function widgetRoutes(isOffline: () => boolean): readonly Route[] {
  const scripts = once(readScripts)
  return [
    route({
      ...here,
      path: SCRIPT_PATH,
      summary: 'The widget',
      description:
        'One script that defines the element `<service-assistant>`. It has an ETag, and comes in brotli and gzip.',
      answers: scriptAnswers,
      handle: async (_ctx, { head }) => answerWith(scripts().present, SOON_STALE, head.headers),
    }),
    route({
      ...here,
      path: '/widget/build',
      summary: 'The current build of the widget',
      description: 'For sites that pin what they load: a copy that never changes, and its integrity value.',
      answers: { 200: { schema: WidgetBuild } },
      handle: async () => {
        const { name, integrity, bodies } = scripts().present
        const body = {
          scriptPath: SCRIPT_PATH,
          pinnedPath: `/widget/pinned/${name}`,
          integrity,
          bytes: bodies.gzip.length,
          offline: isOffline(),
        }
        return { status: 200, headers: { ...FOR_EVERY_PAGE, 'cache-control': SOON_STALE }, body }
      },
    }),
    route({
      ...here,
      path: '/widget/pinned/:file',
      summary: 'One build of the widget, for ever',
      params: z.object({ file: z.string().max(100) }),
      example: { params: { file: 'service-assistant.0123456789ab.js' } },
      answers: scriptAnswers,
      errors: ['not_found'],
      handle: async (_ctx, { head, params: { file } }) => {
        const script = scripts().byName.get(file)
        if (script === undefined) {
          throw refuse(
            'not_found',
            'This build of the widget is not served here. GET /widget/build names the current one.',
          )
        }
        return answerWith(script, FOR_EVER, head.headers)
      },
    }),
  ]
}

function answerWith(script: PackedScript, cacheControl: string, asked: IncomingHttpHeaders): Answer {
  const answer = packedAnswer(script, asked)
  return { ...answer, headers: { ...FOR_EVERY_PAGE, ...answer.headers, 'cache-control': cacheControl } }
}

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
