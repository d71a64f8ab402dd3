// Websites that a tenant has read, so that its assistant answers from them.
import { type HostileCase, json, type Maker, repeated, times } from '../case.ts'
import { page, prose } from '../ordinary.ts'
import type { Stage } from '../stage.ts'

const BYTES = 500_000

const whole = (head: string, body: string): string =>
  `<!doctype html><html><head><title>Shop</title>${head}</head><body><p>${prose(600)}</p>${body}</body></html>`

const reading = async (stage: Stage, html: string): Promise<Maker> => {
  const { apiKey: key } = await stage.workspace()
  const body = json({ siteUrl: stage.page(html) })
  return () => ({ key, method: 'POST', path: '/v1/preview', body })
}

const read = (name: string, html: string): HostileCase => ({
  name: `a website of ${name}`,
  prepare: async (stage) => ({
    hostile: await reading(stage, html),
    harmless: await reading(stage, page(html.length)),
  }),
})

const item = (index: number) => `{"@type":"Product","name":"${prose(20, index)}","description":"${index}"},`

export const siteCases: readonly HostileCase[] = [
  read('nothing but openings', whole('', repeated('<b>', BYTES))),
  read('marks upon marks', whole('', repeated(`<p>a${'\u0301\u0316'.repeat(15)}</p>`, BYTES))),
  read('one word', whole('', 'z'.repeat(BYTES))),
  read('headings', whole('', repeated('<h2>a</h2>', BYTES))),
  read('items', whole(`<script type="application/ld+json">[${times(5_000, item).join('')}1]</script>`, '')),
  read(
    'linked data in linked data',
    whole(`<script type="application/ld+json">${'{"@graph":['.repeat(40_000)}</script>`, ''),
  ),
  read('links', whole('', repeated('<a href="/x">a</a>', BYTES))),
]
