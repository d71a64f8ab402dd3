import { section } from '../setting.ts'
import { decimal, flag, serversUrl, text, whole } from '../shapes.ts'
import { advisePlain } from './plain-connection.ts'

export const DATA_DIRECTORY = '.data'

// The driver encrypts only if the address says so.
const isEncrypted = ({ searchParams }: URL): boolean => !['', 'disable'].includes(searchParams.get('sslmode') ?? '')

export const database = section('Database', 'Where the data is stored.', {
  url: serversUrl('postgres:', 'postgresql:')
    .optional()
    .describe(
      'The PostgreSQL database (15 or later), or several hosts of it with commas between them, of which the one that takes writes is used. Unset means the embedded database in the data directory.',
      {
        alias: { variable: 'DATABASE_URL' },
        needed: {
          make: 'Set it to postgres://user:password@host:5432/name. The embedded database serves one process only. To run Production on it all the same, set Database:AllowEmbedded to true.',
          unless: (read) => read('Database:AllowEmbedded') === true,
        },
        advise: advisePlain(isEncrypted, 'Add ?sslmode=verify-full to the address'),
      },
    ),
  listenUrl: serversUrl('postgres:', 'postgresql:')
    .optional()
    .describe(
      'The same database without the pooler that Database:Url leads to, for notifications, which a pooler hands to somebody else. Where it is set, the limit of a statement is the one of the database role.',
      { advise: advisePlain(isEncrypted, 'Add ?sslmode=verify-full to the address') },
    ),
  dividedByTenant: flag(false).describe(
    'The tables are divided by tenant, over the nodes of Citus or into partitions (docs/scale.md): a key is looked up where it says that its tenant is, and among all tenants only if it is not there.',
  ),
  dataDirectory: text({ min: 1, of: 'a folder path' })
    .default(DATA_DIRECTORY)
    .describe(
      'The folder of the embedded database and of what Development generates, relative to where the service is started.',
    ),
  poolSize: whole(1, 1000, 10).describe('The most connections that one process opens to the database.'),
  preparedStatements: flag(true).describe(
    'Whether each SQL text is prepared once per connection. Set it to false for a pooler in transaction mode that cannot do that.',
  ),
  statementTimeoutSeconds: decimal(0.1, 3600, 30).describe(
    'A SQL statement that runs longer is cancelled. A connection that stays silent for 2 s more is closed.',
  ),
  allowEmbedded: flag(false).describe(
    'Lets Production run on the embedded database, with one process, no replica, and backups by copying the data directory while the service is stopped.',
  ),
})
