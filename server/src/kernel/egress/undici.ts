// A hundred files, which are loaded with the first request that leaves: no start waits for them.
export { Client } from 'undici'
