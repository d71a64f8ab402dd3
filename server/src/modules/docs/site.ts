// The site. A page is read when it is first asked for; all of them with the first search, or the first list for programs.
import { setImmediate } from 'node:timers/promises'
import { once } from '../../kernel/memo/index.ts'
import { hrefOf, relinked, targetOf } from './links.ts'
import { llmsFull, llmsText } from './llms.ts'
import { type DocPage, notFoundPage, pageList, pageOf, type ReadPage, SEARCH, searchPage } from './page.ts'
import { renderMarkdown } from './render.ts'
import { findIn, newSearchIndex, type Search } from './search.ts'
import type { SearchIndex } from './search-index.ts'
import { openShelf, type Page, readSource } from './shelf.ts'

export type Site = {
  readonly pages: readonly DocPage[]
  readonly at: (address: string) => ReadPage | undefined
  readonly html: (page: ReadPage) => string
  readonly search: (asked: string) => Promise<Search>
  readonly searchPage: (asked: string) => Promise<string>
  readonly notFound: (address: string) => string
  /** The text of a file that some page links to. */
  readonly source: (file: string) => Promise<string | null>
  /** The pages, in the repository: the bundle takes them along, and no file that they link to. */
  readonly files: readonly string[]
  readonly all: () => Promise<readonly ReadPage[]>
  readonly llms: (url: string) => Promise<string>
  readonly llmsFull: (url: string) => Promise<string>
}

export function openSite(): Site {
  const shelf = openShelf()
  const byFile = new Map(shelf.map((page) => [page.file, page]))
  const linked = new Set<string>()
  const pages = shelf.map((page) => ({ ...page, title: titleOf(page) }))
  const byAddress = new Map(pages.map((page) => [page.address, once(() => read(page, byFile, linked))]))

  async function readAll(): Promise<readonly ReadPage[]> {
    const some: ReadPage[] = []
    for (const page of byAddress.values()) {
      some.push(page())
      // The reading of all pages takes a third of a second, so requests are served between one page and the next.
      await setImmediate()
    }
    return some
  }
  const all = once(readAll)
  const index = once(async (): Promise<SearchIndex> => {
    const made = newSearchIndex()
    for (const { address, title, rendered } of await all()) {
      made.add({ title, address }, rendered.entries)
      await setImmediate()
    }
    return made
  })
  const searchList = once(() => pageList(SEARCH, pages))
  const search = async (asked: string) => findIn(await index(), asked)
  return {
    pages,
    at: (address) => byAddress.get(address)?.(),
    html: (page) => pageOf(page, pages).text,
    search,
    searchPage: async (asked) => searchPage(asked, await search(asked), searchList()).text,
    notFound: (address) => notFoundPage(address, pages).text,
    source: async (file) => {
      await all()
      return linked.has(file) ? readSource(file) : null
    },
    files: pages.map(({ file }) => file).sort(),
    all,
    llms: async (url) => llmsText(await all(), url),
    llmsFull: async (url) => llmsFull(await all(), url),
  }
}

/** The first heading, without the signs of Markdown. */
function titleOf({ file }: Page): string {
  const heading = /^# (.+)$/m.exec(readSource(file) ?? '')?.[1] ?? file
  return heading.replaceAll('`', '')
}

function read(page: DocPage, byFile: ReadonlyMap<string, Page>, linked: Set<string>): ReadPage {
  const text = readSource(page.file) ?? ''
  const rendered = renderMarkdown(text, (href) => {
    const target = targetOf(page, href, byFile)
    if (target.kind === 'file' && readSource(target.file) === null) return null
    if (target.kind === 'file') linked.add(target.file)
    return hrefOf(page.address, target)
  })
  return { ...page, markdown: relinked(page, text, byFile), rendered }
}
