// The suite's own servers would listen on every interface of the machine.
import { Server } from 'node:net'

const { listen } = Server.prototype
Server.prototype.listen = function (port, ...rest) {
  const [then] = rest
  const isBare = typeof port === 'number' && (rest.length === 0 || typeof then === 'function')
  if (!isBare) return listen.call(this, port, ...rest)
  if (then !== undefined) this.once('listening', then)
  // With a host, `listen` would look it up first, and some of them ask for the port at once. This is what it ends in.
  this._listen2('127.0.0.1', port, 4, 511)
  return this
}
