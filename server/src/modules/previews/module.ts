import { defineModule } from '../../module.ts'
import { VERSION } from '../../version.ts'
import { previewPage } from './console/index.ts'
import { readSite } from './crawl/index.ts'
import {
  openClaim,
  openCrawls,
  openShelf,
  previewLetters,
  previewRoutes,
  type ReadSite,
  refreshDuty,
  sandboxDuties,
  sandboxes,
  withPreviews,
} from './index.ts'
import { tryRoutes } from './try/index.ts'

/** A test may bring another reader of websites. */
export const previewsWith = (read: ReadSite) =>
  defineModule({
    name: 'previews',
    offers: () => ({
      passages: (house, documents) => withPreviews(documents, openShelf(house)),
      mails: previewLetters,
      sandboxes,
      openClaim,
    }),
    open({ house, rooms }) {
      const crawls = openCrawls(house, read, VERSION)
      const parts = { house, catalogs: rooms.catalogs, mail: rooms.mail, crawls }
      return { parts, jobs: [...sandboxDuties(house), refreshDuty(house, crawls)], close: crawls.close }
    },
    routes: (parts) => [...previewRoutes(parts), ...tryRoutes(parts)],
    pages: (parts) => [previewPage(parts)],
  })

export const previews = previewsWith(readSite)
