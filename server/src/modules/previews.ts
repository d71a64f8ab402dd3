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
} from '../features/previews/index.ts'
import { readSite } from '../foundation/sites/index.ts'
import { defineModule } from '../module.ts'
import { previewPage } from '../surfaces/console-preview/index.ts'
import { tryRoutes } from '../surfaces/try/index.ts'
import { VERSION } from '../version.ts'

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
