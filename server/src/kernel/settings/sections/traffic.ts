// Who may send how much, and from where.
import { section } from '../setting.ts'
import { connectionUrl, listOf, network, text, whole } from '../shapes.ts'
import { advisePlain } from './plain-connection.ts'
import { notRandom } from './secrets.ts'

const MANY = 1_000_000

export const redis = section('Redis', 'What several instances share besides the database.', {
  url: connectionUrl('redis:', 'rediss:')
    .optional()
    .describe(
      'The Redis or Valkey that counts rate limits across all instances. Unset means that each instance counts alone.',
      { advise: advisePlain(({ protocol }) => protocol === 'rediss:', 'Use rediss:// in the address') },
    ),
})

export const rateLimit = section(
  'RateLimit',
  'How many requests per minute are answered. Further ones are refused with 429.',
  {
    runtimePerMinute: whole(1, MANY, 120).describe(
      'Requests of one credential to chat, tools, actions, insights, agents and MCP.',
    ),
    controlPerMinute: whole(1, MANY, 600).describe(
      'Requests of one credential to every other route, counted separately from the runtime routes.',
    ),
    anonymousPerMinute: whole(1, MANY, 10).describe('Requests without a valid credential, per client address.'),
    visitorPerMinute: whole(1, MANY, 30).describe(
      'Requests of one visitor (client address) with a publishable key, within the ceiling of the key.',
    ),
    tenantFactor: whole(1, 1000, 5).describe(
      'How many times the ceiling of one credential all credentials of a workspace may reach together, in each of the two lanes.',
    ),
    freePlanRequestsPerDay: whole(0, MANY, 200).describe(
      'Chat turns of one workspace on the free plan per 24 hours. 0 means no limit.',
    ),
    tenantBytesInFlight: whole(1_048_576, 1_073_741_824, 67_108_864).describe(
      'How many bytes of requests and answers of one workspace an instance holds at the same time. Further requests are refused.',
    ),
    tenantLargeBodies: whole(1, 1000, 8).describe(
      'How many bodies above 1 MiB (catalogs, pictures) of one workspace an instance holds at the same time.',
    ),
    queueLimit: whole(0, 10_000, 0).describe(
      'How many requests may wait for their turn instead of being refused. 0 means that none waits.',
    ),
  },
)

export const account = section('Account', 'What one workspace may have.', {
  maxLiveKeys: whole(1, 1000, 10).describe(
    'The most keys of one workspace that are neither revoked nor expired. Another one is refused with 409.',
  ),
  revokedKeyDays: whole(8, 3650, 90).describe(
    'How many days a revoked key is listed. That it was issued and revoked stays among the events of the account.',
  ),
})

const everybody = {
  when: 'a range ends with /0',
  why: (proxies: readonly string[]) =>
    proxies.some((proxy) => /\/0+$/.test(proxy))
      ? 'A range of /0 lets every caller claim any address. List the addresses of your proxies.'
      : undefined,
}

export const forwarding = section('Forwarding', 'Whom the service trusts about the address of a caller.', {
  knownProxies: listOf(network, 'IP addresses or ranges such as 10.0.0.0/8')
    .default([])
    .describe('Proxies whose X-Forwarded-For is trusted, for one hop. The loopback address always is.', {
      unsafe: everybody,
    }),
  relaySecret: text({ min: 32, max: 512, secret: true })
    .optional()
    .describe(
      'Lets a relay without a fixed address state the address of a caller, with X-Service-Relay and X-Service-Visitor.',
      { unsafe: notRandom('openssl rand -hex 32') },
    ),
})
