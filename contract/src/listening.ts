import { z } from 'zod'

// A listener is a program on a developer's machine. It asks for what the service would POST to the workspace's server, and says what
// the server on that machine answered.

const Listener = z
  .string()
  .regex(/^[\w-]{8,64}$/)
  .meta({ description: 'An id of your own choosing for one run of a listener. A new one takes over from the last.' })
const Epoch = z.string().max(64).nullable().meta({
  description:
    'As the last answer gave it; null at first. It changes when the service has lost what waited, after which `number` begins anew.',
})
/** As the service counts them. */
const MOST = 2 ** 31 - 1
const Position = z.int().min(0).max(MOST)

export const LISTEN_WAIT_SECONDS = 25
export const LISTEN_MOST = 32

export const ListenRequest = z
  .object({
    listener: Listener,
    epoch: Epoch.optional(),
    received: Position.optional().meta({
      description:
        'The greatest `number` that you have received. What is above it is given again, so a lost answer loses nothing.',
    }),
    waitSeconds: z
      .number()
      .min(0)
      .max(LISTEN_WAIT_SECONDS)
      .optional()
      .meta({ description: 'How long to wait where nothing has come: 0 unless set.' }),
  })
  .meta({ id: 'ListenRequest' })
export type ListenRequest = z.output<typeof ListenRequest>

export const Listened = z
  .object({
    epoch: z.string(),
    displaced: z.boolean().meta({ description: 'True if another listener of the workspace has taken over. Stop.' }),
    requests: z.array(
      z.object({
        number: z.int().positive(),
        headers: z.record(z.string(), z.string()).meta({ description: 'Those of the request, with its signatures.' }),
        body: z.string().meta({ description: 'Exactly as it is signed.' }),
      }),
    ),
  })
  .meta({ id: 'Listened' })
export type Listened = z.output<typeof Listened>

export const ListenAnswers = z
  .object({
    listener: Listener,
    epoch: z.string().max(64),
    answers: z
      .array(
        z.object({
          number: z.int().positive().max(MOST),
          status: z.int().min(200).max(599),
          type: z
            .string()
            .max(200)
            // What a header can hold.
            .regex(/^[\x20-\x7e]*$/)
            .optional()
            .meta({ description: 'The content type; `application/json` unless set.' }),
          body: z.string().optional(),
        }),
      )
      .min(1)
      .max(100),
  })
  .meta({ id: 'ListenAnswers' })
export type ListenAnswers = z.output<typeof ListenAnswers>
export type ListenAnswer = ListenAnswers['answers'][number]

export const ListenTaken = z
  .object({
    taken: z.int().meta({ description: 'How many of them somebody still waited for.' }),
  })
  .meta({ id: 'ListenTaken' })
