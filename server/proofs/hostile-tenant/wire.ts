import { Agent, request } from 'node:http'

/** One request, ready to be sent. */
export type Shot = {
  readonly key: string
  readonly method: 'GET' | 'OPTIONS' | 'POST' | 'PUT'
  readonly path: string
  readonly body: Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** Connections that are kept, so that what is measured is the answer and not the way to it. */
export type Line = {
  readonly port: number
  /** Answers the status; 0 where the connection broke before there was one. */
  send(shot: Shot): Promise<number>
  close(): void
}

export function openLine(port: number): Line {
  const agent = new Agent({ keepAlive: true })
  return {
    port,
    send: ({ key, method, path, body, headers }) =>
      new Promise((resolve) => {
        const sent = request({
          agent,
          port,
          host: '127.0.0.1',
          method,
          path,
          headers: {
            ...(key === '' ? {} : { 'x-api-key': key }),
            ...(body.length === 0 ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
            ...headers,
          },
        })
        sent.once('error', () => resolve(0))
        sent.once('response', (answer) => {
          answer.resume().once('error', () => resolve(0))
          answer.once('end', () => resolve(answer.statusCode ?? 0))
        })
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}
