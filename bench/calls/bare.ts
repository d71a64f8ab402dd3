// What the service is held against: node:http, the driver, undici and node:crypto, and of the service nothing but its SQL
// texts. It does for a call, a stage and a confirm what they cannot do without: the same statements in the same order, the
// same signed request with the same limits, the same answer.
import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { openEmbeddedPool } from '../parts/embedded-pool.ts'
import { type CredentialRow, findCredential } from '../parts/key-query.ts'
import { openCalls } from './bare-post.ts'
import { type Body, openWrites } from './bare-writes.ts'

const findImport = { name: 'bench.find_import', text: 'select * from imports where tenant_id = $1::int' }

const [at, place = '', port, secrets = '{}'] = process.argv.slice(2)
const pool = at === 'url' ? new pg.Pool({ connectionString: place, max: 10 }) : (await openEmbeddedPool(place)).pool
const { post, get } = openCalls(JSON.parse(secrets))
const { stage, confirm } = openWrites(pool, post)

// A connection may rest as long as one to the service may.
createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  if (request.url === '/health') return send(response, 200, '{"status":"ok"}')
  answer(request).then(
    (text) => send(response, text === null ? 401 : 200, text ?? '{}'),
    (error: Error) => send(response, 500, JSON.stringify({ error: error.message })),
  )
}).listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))

async function answer(request: IncomingMessage): Promise<string | null> {
  const url = request.url ?? ''
  const key = request.headers['x-api-key']
  if (typeof key !== 'string') return null
  const asked = pool.query<CredentialRow>({ ...findCredential, values: [hash('sha256', key, 'buffer')] })
  const [body, found] = await Promise.all([bodyOf(request), asked])
  const credential = found.rows[0]
  if (credential === undefined) return null
  if (url === '/v1/actions') return await stage(credential, body)
  const actionId = /^\/v1\/actions\/([^/]+)\/confirm$/.exec(url)?.[1]
  if (actionId !== undefined) return await confirm(credential, actionId)
  return await read(credential, url.split('/')[3] ?? '', body)
}

async function read(credential: CredentialRow, tool: string, { arguments: given }: Body): Promise<string> {
  const started = performance.now()
  // A tool that is called so is one of the imported API, which the service reads with each call.
  const answered = tool.startsWith('api_')
    ? await readApi(credential, given)
    : await post(credential, { mode: 'read', tool, given })
  const durationMs = Math.round(performance.now() - started)
  return `{"status":"ok","toolName":"${tool}","result":${answered.toString()},"durationMs":${durationMs}}`
}

async function readApi(credential: CredentialRow, given: Body['arguments']): Promise<Buffer> {
  const found = await pool.query<{ base_url: string }>({ ...findImport, values: [credential.tenantId] })
  const { number } = given as { number: string }
  return await get(credential, `${found.rows[0]?.base_url}/orders/${encodeURIComponent(number)}`)
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return pieces.length === 0 ? {} : JSON.parse(Buffer.concat(pieces).toString())
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
