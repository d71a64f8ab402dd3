// Serves real pages as one site, in a process of its own, so that its work is not counted: the first at `/`, all others by sitemap.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'

const FOLDERS = { 'product-pages': 14, 'next-data': 8, 'brand-meta': 10, segments: 8 }
const [folder = ''] = process.argv.slice(2)

const pages = Object.entries(FOLDERS).flatMap(([name, most]) =>
  readdirSync(path.join(folder, name))
    .filter((file) => file.endsWith('.gz'))
    .sort()
    .slice(0, most)
    .map((file) => gunzipSync(readFileSync(path.join(folder, name, file)))),
)

const server = createServer(({ url = '/', headers }, response) => {
  if (url === '/sitemap.xml') {
    const entries = pages.map(
      (_, at) => `<url><loc>http://${headers.host}/p${at}</loc><lastmod>2026-01-01</lastmod></url>`,
    )
    response.writeHead(200, { 'content-type': 'application/xml' }).end(`<urlset>${entries.slice(1).join('')}</urlset>`)
    return
  }
  const page = pages[url === '/' ? 0 : Number(/^\/p(\d+)$/.exec(url)?.[1] ?? -1)]
  if (page === undefined) response.writeHead(404).end()
  else response.writeHead(200, { 'content-type': 'text/html' }).end(page)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  process.stdout.write(
    `${JSON.stringify({ port, pages: pages.length, bytes: pages.reduce((sum, { length }) => sum + length, 0) })}\n`,
  )
})
