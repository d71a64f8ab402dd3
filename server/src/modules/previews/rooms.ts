import type { House } from '../../tenancy/context/index.ts'
import type { MailRoom } from '../../tenancy/mail/index.ts'
import type { Catalogs } from '../../tools/catalog/index.ts'
import type { Crawls } from './crawls.ts'

/** What the house and other rooms give to this room, for the life of the process. */
export type PreviewRooms = {
  readonly house: Pick<House, 'settings'>
  readonly catalogs: Catalogs
  readonly crawls: Crawls
  readonly mail: Pick<MailRoom, 'ready'>
}
