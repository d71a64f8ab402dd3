// Several databases behind one process: which of them a request is for, and whether each is the one that it is called.
export { openSayAway, type SayAway } from './away.ts'
export { type Dispatching, dispatch, type Shard } from './dispatch.ts'
export { enrol, type NamedDatabase, NotThatDatabase, requireAllNamed, requirePlaces } from './enrol.ts'
export { FRESH_MS, openWhereabouts, type Place, type Whereabouts } from './whereabouts.ts'
