// What the proofs start: the sources as `npm start` does, or with START=bundle what production runs (`npm run build`).
import { join } from 'node:path'
import { builtService } from '../../testkit/built-service.ts'

const SERVER = join(import.meta.dirname, '../..')

const starts = {
  sources: async () => ({ start: join(SERVER, 'start.mjs'), altered: join(SERVER, 'proofs/card/altered.ts') }),
  async bundle() {
    const folder = join(await builtService({ altered: 'server/proofs/card/altered.ts' }), 'server')
    return { start: join(folder, 'start.mjs'), altered: join(folder, 'altered.mjs') }
  },
}
const { START = 'sources' } = process.env
if (START !== 'sources' && START !== 'bundle') throw new Error(`START is sources or bundle, and not "${START}".`)

/** `altered` is loaded before `start` where a service is to be changed: see the card. */
export const { start, altered } = await starts[START]()
