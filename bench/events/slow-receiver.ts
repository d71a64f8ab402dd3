// A business's server that answers after a while, and notices what came twice or before its turn. What it knows of an event
// stands in the event's id: evt_<slice>_<lane>_<number in the lane>.
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const [port, answerMs] = process.argv.slice(2).map(Number)
const REQUEST_ID = /"request_id":"(evt_\w+_)(\d+)"/

const answered = new Set<string>()
const arrived = new Set<string>()
const figures = { arrived: 0, twice: 0, early: 0 }

function note(before: string, number: number): string {
  const id = `${before}${number}`
  figures.arrived++
  if (arrived.has(id)) figures.twice++
  if (number > 1 && !answered.has(`${before}${number - 1}`)) figures.early++
  arrived.add(id)
  return id
}

createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  if (request.url === '/health') return response.end('{"status":"ok"}')
  if (request.url === '/figures') return response.end(JSON.stringify(figures))
  const [, before, number] = REQUEST_ID.exec(Buffer.concat(await request.toArray()).toString()) ?? []
  if (before === undefined) return response.writeHead(400).end()
  const id = note(before, Number(number))
  await pause(answerMs)
  answered.add(id)
  return response.writeHead(204).end()
}).listen(port, '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
