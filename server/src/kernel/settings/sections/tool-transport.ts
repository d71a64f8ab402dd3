import { section } from '../setting.ts'
import { decimal, flag, whole } from '../shapes.ts'

const whenAllowed = (danger: string) => ({
  when: 'it is true',
  why: (allowed: boolean) => (allowed ? `${danger} Leave it false outside Development.` : undefined),
})

export const toolTransport = section('ToolTransport', 'How the tool endpoints of businesses are called.', {
  timeoutSeconds: decimal(0.1, 300, 20).describe('How long one attempt of a tool call may take.'),
  maxAttempts: whole(1, 10, 3).describe('The most attempts of a read. 1 turns retries off. Writes are never retried.'),
  maxResponseBytes: whole(1024, 67_108_864, 262_144).describe(
    'The largest answer of a tool in bytes. A larger one fails the call.',
  ),
  maxArgumentBytes: whole(1024, 1_048_576, 262_144).describe(
    'The largest arguments of a call or an action in bytes. Larger ones are refused with 413.',
  ),
  callDays: decimal(0.01, 3650, 90).describe(
    'How many days the telemetry of calls is kept: tool, status and time, without a word of what was sent.',
  ),
  allowInsecureEndpoint: flag(false).describe('Allows http endpoints, for local development.', {
    unsafe: whenAllowed('Signed calls and their data would travel unencrypted.'),
  }),
  allowPrivateNetworkEndpoint: flag(false).describe(
    'Allows endpoints on loopback and private networks, for local development.',
    {
      unsafe: whenAllowed('A business could make the service call into your own network.'),
    },
  ),
})
