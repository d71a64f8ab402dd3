import type { House } from '../context/index.ts'
import { type Resealed, resealRows } from '../sealing/index.ts'
import { listSealedMails, resealMail } from './queries.ts'
import { placeOfMail } from './queue.ts'

/** Waiting mails are sealed, and some wait for a long time. */
export const resealMails = (house: Pick<House, 'db' | 'keyring' | 'log'>): Promise<Resealed> =>
  resealRows(house, { what: 'a waiting mail', list: listSealedMails, reseal: resealMail, place: placeOfMail })
