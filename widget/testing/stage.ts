// A browser, a page of a shop on one origin and the scripted service on another.
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { buildMore, buildWidget } from '../build.ts'
import { openScriptedService, type ScriptedService } from './scripted-service.ts'

const CHROMIUM = '/usr/bin/chromium'

/** Why the browser tests cannot run here, for `test(…, { skip })`; false when they can. */
export const skip: string | false = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}: apt-get install chromium`

export type PageParts = {
  readonly language?: 'en' | 'ka'
  /** Attributes beside those of the snippet; null leaves one out. */
  readonly attributes?: Readonly<Record<string, string | null>>
  readonly head?: string
  readonly body?: string
  /** Instead of script tag and element. */
  readonly snippet?: string
  readonly csp?: string
  readonly context?: BrowserContextOptions
  /** Before anything of the page runs. */
  readonly before?: string
}

export type Visit = {
  readonly page: Page
  /** Everything that the page asked the network for. */
  readonly requests: string[]
  /** Errors, violations of a policy, complaints of the console. */
  readonly complaints: string[]
  close(): Promise<void>
}

export type Stage = {
  readonly service: ScriptedService
  readonly origin: string
  readonly script: string
  visit(parts?: PageParts): Promise<Visit>
  /** Another page of the same visitor. */
  serve(parts: PageParts): void
  close(): Promise<void>
}

const WORDS = {
  en: { label: 'Ask us', greeting: 'Hello! What can we do for you?', placeholder: 'Your question' },
  ka: { label: 'გვკითხეთ', greeting: 'გამარჯობა! რით შეგვიძლია დაგეხმაროთ?', placeholder: 'თქვენი კითხვა' },
}

export const KEY = `tpk_${'1'.repeat(48)}`

export async function openStage(): Promise<Stage> {
  const script = await buildWidget()
  const more = await buildMore()
  const service = await openScriptedService(
    () => script,
    () => more,
  )
  let html = ''
  let csp: string | undefined
  const pages = createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(csp === undefined ? {} : { 'content-security-policy': csp }),
    })
    response.end(html)
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(pages.address() as AddressInfo).port}`
  // Chromium as root in a container has neither a sandbox nor much shared memory.
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--js-flags=--expose-gc'],
  })
  const serve = (parts: PageParts) => {
    html = pageOf(parts, service.url)
    csp = parts.csp?.replaceAll('SERVICE', service.url)
  }
  return {
    service,
    origin,
    script,
    serve,
    async visit(parts = {}) {
      serve(parts)
      const context = await browser.newContext({ viewport: { width: 1000, height: 720 }, ...parts.context })
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      if (parts.before !== undefined) await page.addInitScript(parts.before)
      const requests: string[] = []
      const complaints: string[] = []
      page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
      page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`)
      })
      await page.goto(`${origin}/shop`)
      return { page, requests, complaints, close: () => context.close() }
    },
    async close() {
      await browser.close()
      await service.close()
      await new Promise<void>((resolve) => {
        pages.close(() => resolve())
        pages.closeAllConnections()
      })
    },
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Exactly what the snippet of `POST /v1/embed` is made of. */
export function snippetOf({ language = 'en', attributes = {} }: PageParts, service: string): string {
  const { label, greeting, placeholder } = WORDS[language]
  const all: Record<string, string | null> = {
    endpoint: service,
    'publishable-key': KEY,
    mode: 'floating',
    lang: language,
    'launcher-label': label,
    greeting,
    placeholder,
    ...attributes,
  }
  const written = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [`${name}="${escaped(value)}"`],
  )
  return `<script src="${service}/widget/service-assistant.js" defer></script>\n<service-assistant ${written.join(' ')}></service-assistant>`
}

const pageOf = (parts: PageParts, service: string): string => `<!doctype html>
<html lang="${parts.language ?? 'en'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shop</title>${parts.head ?? ''}</head>
<body>${parts.body ?? '<main><h1>Shop</h1><p>Boots and coats.</p></main>'}
${parts.snippet?.replaceAll('SERVICE', service) ?? snippetOf(parts, service)}
</body></html>`
