// The pages for a program that reads: their list, and all that one needs to integrate in one text.
import type { ReadPage } from './page.ts'

/** Not what only those need who work on the service itself, or who operate it. */
const isForIntegrators = ({ group, file }: ReadPage): boolean =>
  group !== 'The project' && !/^docs\/(?:security-asvs|operations\b|scale\b|deploy\b)/.test(file)

/** The first sentence of a page. */
function firstWords({ rendered: { lead } }: ReadPage): string {
  const end = lead.search(/[.?](\s|$)/)
  return end < 0 ? lead.replace(/:$/, '.') : lead.slice(0, end + 1)
}

export function llmsText(pages: readonly ReadPage[], url: string): string {
  const first = pages[0]
  const groups = [...Map.groupBy(pages, ({ group }) => group)].map(([group, some]) =>
    [
      `## ${group === 'The project' ? 'Optional' : group}`,
      '',
      ...some.map((page) => `- [${page.title}](${url}${page.address}.md): ${firstWords(page)}`),
      ...(group === 'Reference' ? [`- [The whole API](${url}/openapi): OpenAPI 3.1, as JSON.`] : []),
      '',
    ].join('\n'),
  )
  return [
    '# Tether',
    '',
    `> ${first === undefined ? '' : firstWords(first)}`,
    '',
    `Every page is also there as HTML, without ".md". All of them in one text: ${url}/llms-full.txt`,
    '',
    ...groups,
  ].join('\n')
}

export const llmsFull = (pages: readonly ReadPage[], url: string): string =>
  pages
    .filter(isForIntegrators)
    .map(({ address, markdown }) => `<!-- ${url}${address} -->\n\n${markdown.trim()}\n`)
    .join('\n')
