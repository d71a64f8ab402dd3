// Who may send how much, and from where.
import { optionalSetting, section, setting } from '../setting.ts'
import { connectionUrl, listOf, network, text, whole } from '../shapes.ts'
import { advisePlain } from './plain-connection.ts'
import { notRandom } from './secrets.ts'

const MANY = 1_000_000

export const redis = section('Redis', 'What several instances share besides the database.', {
  url: optionalSetting(connectionUrl('redis:', 'rediss:'), {
    meaning:
      'The Redis or Valkey that counts rate limits across all instances. Unset means that each instance counts alone.',
    advise: advisePlain(({ protocol }) => protocol === 'rediss:', 'Use rediss:// in the address'),
  }),
})

export const rateLimit = section(
  'RateLimit',
  'How many requests per minute are answered. Further ones are refused with 429.',
  {
    runtimePerMinute: setting(whole(1, MANY), {
      default: 120,
      meaning: 'Requests of one credential to chat, tools, actions, insights, agents and MCP.',
    }),
    controlPerMinute: setting(whole(1, MANY), {
      default: 600,
      meaning: 'Requests of one credential to every other route, counted separately from the runtime routes.',
    }),
    anonymousPerMinute: setting(whole(1, MANY), {
      default: 10,
      meaning: 'Requests without a valid credential, per client address.',
    }),
    visitorPerMinute: setting(whole(1, MANY), {
      default: 30,
      meaning: 'Requests of one visitor (client address) with a publishable key, within the ceiling of the key.',
    }),
    tenantFactor: setting(whole(1, 1000), {
      default: 5,
      meaning:
        'How many times the ceiling of one credential all credentials of a workspace may reach together, in each of the two lanes.',
    }),
    freePlanRequestsPerDay: setting(whole(0, MANY), {
      default: 200,
      meaning: 'Chat turns of one workspace on the free plan per 24 hours. 0 means no limit.',
    }),
    tenantBytesInFlight: setting(whole(1_048_576, 1_073_741_824), {
      default: 67_108_864,
      meaning:
        'How many bytes of requests and answers of one workspace an instance holds at the same time. Further requests are refused.',
    }),
    tenantLargeBodies: setting(whole(1, 1000), {
      default: 8,
      meaning: 'How many bodies above 1 MiB (catalogs, pictures) of one workspace an instance holds at the same time.',
    }),
    queueLimit: setting(whole(0, 10_000), {
      default: 0,
      meaning: 'How many requests may wait for their turn instead of being refused. 0 means that none waits.',
    }),
  },
)

export const account = section('Account', 'What one workspace may have.', {
  maxLiveKeys: setting(whole(1, 1000), {
    default: 10,
    meaning: 'The most keys of one workspace that are neither revoked nor expired. Another one is refused with 409.',
  }),
  revokedKeyDays: setting(whole(8, 3650), {
    default: 90,
    meaning:
      'How many days a revoked key is listed. That it was issued and revoked stays among the events of the account.',
  }),
})

const everybody = {
  when: 'a range ends with /0',
  why: (proxies: readonly string[]) =>
    proxies.some((proxy) => /\/0+$/.test(proxy))
      ? 'A range of /0 lets every caller claim any address. List the addresses of your proxies.'
      : undefined,
}

export const forwarding = section('Forwarding', 'Whom the service trusts about the address of a caller.', {
  knownProxies: setting(listOf(network, 'IP addresses or ranges such as 10.0.0.0/8'), {
    default: [],
    meaning: 'Proxies whose X-Forwarded-For is trusted, for one hop. The loopback address always is.',
    unsafe: everybody,
  }),
  relaySecret: optionalSetting(text({ min: 32, max: 512, secret: true }), {
    meaning:
      'Lets a relay without a fixed address state the address of a caller, with X-Service-Relay and X-Service-Visitor.',
    unsafe: notRandom('openssl rand -hex 32'),
  }),
})
