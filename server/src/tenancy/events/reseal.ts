import type { House } from '../context/index.ts'
import { type Resealed, resealRows } from '../sealing/index.ts'
import { listQueuedBodies, listSealedBodies, resealBody, resealQueuedBody } from './queries.ts'
import { bodyPlace } from './sealed-body.ts'

type ResealHouse = Pick<House, 'db' | 'keyring' | 'log'>

/** Reseals the stored bodies of undelivered events, and of those that wait to be sent again. */
export const resealBodies = (house: ResealHouse): Promise<Resealed> =>
  resealRows(house, {
    what: 'the body of an undelivered event',
    list: listSealedBodies,
    reseal: resealBody,
    place: bodyPlace,
  })

export const resealQueuedBodies = (house: ResealHouse): Promise<Resealed> =>
  resealRows(house, {
    what: 'the body of an event that is sent again',
    list: listQueuedBodies,
    reseal: resealQueuedBody,
    place: bodyPlace,
  })
