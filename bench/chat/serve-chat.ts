// The service as a process of its own, on an embedded database in memory, with a model on loopback. It prints the key of a
// tenant; its memory is read from outside.
import { randomBytes } from 'node:crypto'
import { openApp } from '../../server/src/app.ts'
import { systemClock } from '../../server/src/kernel/clock/index.ts'
import { openKeyring } from '../../server/src/kernel/crypto/index.ts'
import { openLog } from '../../server/src/kernel/log/index.ts'
import { MODULES } from '../../server/src/modules.ts'
import { freshDatabase } from '../../server/testkit/database.ts'
import { testSettings } from '../../server/testkit/house.ts'
import { realModel } from './real-model.ts'

const [port = '', modelUrl = ''] = process.argv.slice(2)
const operatorKey = randomBytes(24).toString('hex')
const settings = testSettings({ 'Operator:ApiKey': operatorKey })
const { database } = await freshDatabase()
const model = realModel(modelUrl)
const app = openApp({
  settings,
  db: database,
  log: openLog({ level: 'silent', format: 'json', stream: { write: () => {} } }),
  clock: systemClock,
  keyring: openKeyring({ key: settings.encryption.key, previous: settings.encryption.previousKeys }),
  modules: MODULES,
  models: { of: () => ({ model, name: 'bench', price: { inputMicros: 1, outputMicros: 1 } }) },
})
const made = await app.server.inject({
  method: 'POST',
  url: '/v1/tenants',
  headers: { 'x-api-key': operatorKey },
  payload: { name: 'Corner Shop', plan: 'Growth' },
})
process.stdout.write(`${made.json<{ apiKey: string }>().apiKey}\n`)
await app.server.listen({ host: '127.0.0.1', port: Number(port) })
process.on('SIGTERM', () => process.exit(0))
