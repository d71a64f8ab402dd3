import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Whoever has connected just now may be about to ask. */
const GRACE_MS = 1_000

/**
 * Ends the connections on which nothing was ever asked, when the server stops: browsers and balancers open some beforehand. Node
 * does not count them as idle, and would wait for each of them.
 */
export function endSilent(app: FastifyInstance): void {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', (done) => {
    setTimeout(() => {
      for (const socket of silent) socket.destroy()
    }, GRACE_MS).unref()
    done()
  })
}
