// Pages that a tenant asks us to look at.
import { type HostileCase, json, repeated } from '../case.ts'
import { page } from '../ordinary.ts'
import type { Stage } from '../stage.ts'

const BYTES = 500_000

const checked = (name: string, html: string): HostileCase => ({
  name: `a page of ${name}`,
  async prepare(stage: Stage) {
    const { apiKey: key } = await stage.workspace()
    const shot = { key, method: 'POST', path: '/v1/embed/check' } as const
    const [hostile, harmless] = [stage.page(html), stage.page(page(html.length))]
    return {
      hostile: () => ({ ...shot, body: json({ url: hostile }) }),
      harmless: () => ({ ...shot, body: json({ url: harmless }) }),
    }
  },
})

export const pageCases: readonly HostileCase[] = [
  checked('nothing but openings', repeated('<b>', BYTES)),
  checked('openings that others close', repeated('<p><table>', BYTES)),
  checked('openings, each with the end of another', repeated('<b></i>', BYTES)),
  checked('drawings in drawings', repeated('<svg>', BYTES)),
  checked('stairs as high as they may be', repeated('<b>'.repeat(250) + '</b>'.repeat(250), BYTES)),
  checked('one element with very many attributes', `<a ${repeated('aa=1 ', BYTES)}>`),
  checked('ampersands', repeated('&', BYTES)),
  checked('comments without an end', repeated('<!--', BYTES)),
  checked(
    'many scripts under one long address',
    `<base href="https://shop.example/${repeated('x', BYTES / 2)}/">${repeated('<script src=x></script>', BYTES / 2)}`,
  ),
  checked(
    'very many policies and a script with very many hashes',
    `<meta http-equiv="content-security-policy" content="${repeated('script-src *,', BYTES / 2)}">` +
      `<script src="/widget/service-assistant.js" integrity="${repeated('sha256-abcdefgh ', BYTES / 2)}"></script>`,
  ),
  checked(
    'one policy with very many sources',
    `<meta http-equiv="content-security-policy" content="script-src ${repeated('a.b.c.d:1/x ', BYTES)}">`,
  ),
]
