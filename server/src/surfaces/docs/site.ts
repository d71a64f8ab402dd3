// All pages, read once: with the first request for any of them.
import { setImmediate } from 'node:timers/promises'
import { hrefOf, relinked, targetOf } from './links.ts'
import { llmsFull, llmsText } from './llms.ts'
import { type DocPage, notFoundPage, pageOf, searchPage } from './page.ts'
import { renderMarkdown } from './render.ts'
import { type Found, findIn, indexed } from './search.ts'
import { openShelf, readSource } from './shelf.ts'

export type Site = {
  readonly pages: readonly DocPage[]
  readonly at: (address: string) => DocPage | undefined
  readonly html: (page: DocPage) => string
  readonly search: (asked: string) => readonly Found[]
  readonly searchPage: (asked: string) => string
  readonly notFound: (address: string) => string
  /** The text of a file that some page links to. */
  readonly source: (file: string) => string | null
  /** The pages, in the repository: the bundle takes them along, and no file that they link to. */
  readonly files: readonly string[]
  readonly llms: (url: string) => string
  readonly llmsFull: (url: string) => string
}

/** The reading of all pages takes a third of a second, so requests are served between one page and the next. */
export async function openSite(): Promise<Site> {
  const shelf = openShelf()
  const byFile = new Map(shelf.map((page) => [page.file, page]))
  const sources = new Set<string>()
  const pages: DocPage[] = []
  for (const page of shelf) {
    const text = readSource(page.file) ?? ''
    const rendered = renderMarkdown(text, (href) => {
      const target = targetOf(page, href, byFile)
      if (target.kind === 'file' && readSource(target.file) === null) return null
      if (target.kind === 'file') sources.add(target.file)
      return hrefOf(page.address, target)
    })
    pages.push({ ...page, markdown: relinked(page, text, byFile), rendered })
    await setImmediate()
  }
  const byAddress = new Map(pages.map((page) => [page.address, page]))
  const index = pages.flatMap(({ address, rendered }) => indexed({ title: rendered.title, address }, rendered.entries))
  const search = (asked: string) => findIn(index, asked)
  return {
    pages,
    at: (address) => byAddress.get(address),
    html: (page) => pageOf(page, pages).text,
    search,
    searchPage: (asked) => searchPage(asked, search(asked), pages).text,
    notFound: (address) => notFoundPage(address, pages).text,
    source: (file) => (sources.has(file) ? readSource(file) : null),
    files: pages.map(({ file }) => file).sort(),
    llms: (url) => llmsText(pages, url),
    llmsFull: (url) => llmsFull(pages, url),
  }
}
