import { section } from '../setting.ts'
import { decimal, publicUrl, text, whole } from '../shapes.ts'

const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

const hostInUrl = (host: unknown): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return String(host).includes(':') ? `[${host}]` : String(host)
}

export const http = section('Http', 'Where the service listens and how people reach it.', {
  host: text({ min: 1, of: 'an address or a host name' })
    .default('127.0.0.1')
    .describe('The network address to listen on. 0.0.0.0 means every IPv4 address of the machine.', {
      advise: (host, environment) =>
        environment === 'Development' && host !== undefined && !LOOPBACK.includes(host)
          ? 'Development allows what Production refuses, and other machines can reach this address. Set Environment=Production for a service that others use.'
          : undefined,
    }),
  port: whole(0, 65535, 8787).describe('The port to listen on. 0 means any free port.', {
    alias: { variable: 'PORT' },
  }),
  publicUrl: publicUrl
    .derived('http://<Http:Host>:<Http:Port>', (read) => `http://${hostInUrl(read('Http:Host'))}:${read('Http:Port')}`)
    .describe('The address at which people and browsers reach the service. Links in mails start with it.', {
      needed: {
        make: 'Set it to the https address of your proxy or load balancer, such as https://tether.example.com.',
      },
      unsafe: {
        when: 'it is not https',
        why: (url) =>
          url.startsWith('https:') ? undefined : 'Keys and links would travel unencrypted. Use an https address.',
      },
    }),
  drainSeconds: decimal(0, 600, 0).describe(
    'How long a stopping server still accepts requests, while `GET /ready` answers 503, so that a balancer takes it out first.',
  ),
  shutdownSeconds: decimal(0, 600, 20).describe(
    'How long a stopping server waits for running requests before it closes their connections.',
  ),
})
