// R19: people click in Slack while others confirm and amend the same writes over the API, and processes are killed under them.
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import {
  buttonOf,
  type SignedClick,
  type SlackMessage,
  type SlackServer,
} from '../../src/modules/channels/fixtures/slack-server.ts'
import { AMENDED, actionsOf, type Clicked, judgeClicks, type Raced, type Verdict } from './clicking-verdict.ts'
import type { Fleet } from './fleet.ts'
import { patienceMs } from './form.ts'
import { moody } from './moods.ts'
import { done, openReceiver, type Receiver } from './receiver.ts'
import type { Scene } from './scene.ts'
import { operatorKey } from './settings.ts'
import { confirmAll, each, indeterminate, reconcileAll } from './settle.ts'
import { asked, decide, openShop, type Shop, stage } from './shop.ts'
import { killing, mixed, type Told } from './storm.ts'
import { lookAt } from './verdict.ts'
import { pause, until } from './wait.ts'

export type Clicking = Verdict & {
  readonly actions: number
  readonly kills: number
  readonly clicks: number
  readonly unknown: number
  readonly faults: readonly string[]
}

/** So many are staged while the ones before them are raced. */
const WAVE = 75
const LATEST_MS = 80
/** A message whose process was killed is sent when its lease has ended; until then its write is decided without it. */
const POSTED_WITHIN_MS = 8_000
const PEOPLE = [
  { userId: 7, member: 'U0SEVEN', email: 'seven@shop.example' },
  { userId: 8, member: 'U0EIGHT', email: 'eight@shop.example' },
] as const

type Storm = {
  readonly scene: Scene
  readonly slack: SlackServer
  readonly posts: Posts
  readonly random: Scene['random']
}

export async function clicking(
  scene: Scene,
  slack: SlackServer,
  { actions, kills }: { readonly actions: number; readonly kills: number },
): Promise<Clicking> {
  const { fleet, db, random } = scene
  const sent = new Map<string, unknown[]>()
  const moods = moody(random.int(2 ** 30))
  const receiver = await openReceiver((arrival) => {
    sent.set(arrival.actionId, [...(sent.get(arrival.actionId) ?? []), arrival.arguments.number])
    return moods(arrival)
  })
  try {
    const shops = await Promise.all([0, 1, 2].map(() => slackShop(fleet, slack, receiver)))
    const storm = { scene, slack, posts: openPosts(slack), random }
    const before = fleet.figures.kills
    const raced = await waves(storm, shops, { actions, kills })
    await fleet.whole()
    const told = await everyWrite(db, shops)
    const settling = { fleet, told, look: lookAt(db), withinMs: patienceMs }
    await confirmAll(settling)
    const unknown = (await indeterminate(told, settling.look)).length
    receiver.play((arrival) => {
      sent.set(arrival.actionId, [...(sent.get(arrival.actionId) ?? []), arrival.arguments.number])
      return done()
    })
    await reconcileAll(settling)
    const verdict = await judgeClicks(db, { raced, sent, receiver, slack, shops })
    return {
      actions: raced.length,
      kills: fleet.figures.kills - before,
      clicks: raced.reduce((sum, { clicked }) => sum + clicked.length, 0),
      unknown,
      faults: fleet.figures.faults,
      ...verdict,
    }
  } finally {
    await receiver.close()
  }
}

async function slackShop(fleet: Fleet, slack: SlackServer, receiver: Receiver): Promise<Shop> {
  const shop = await openShop(fleet, operatorKey, receiver.url)
  const { apiKey: key } = shop
  const users = PEOPLE.map(({ userId, email }) => ({ userId, email, displayName: `Person ${userId}`, role: 'manager' }))
  await asked(fleet, 'PUT', '/v1/users', { key, body: { users } })
  for (const { member, email } of PEOPLE) slack.member(member, { email })
  const body = { botToken: slack.token, signingSecret: slack.secret, channel: 'C0APPROVALS' }
  await asked(fleet, 'PUT', '/v1/notifications/slack', { key, body })
  return shop
}

/** The first message about each write, by the link that it carries. */
type Posts = { of(actionId: string): SlackMessage | undefined }

function openPosts({ messages }: SlackServer): Posts {
  const byAction = new Map<string, SlackMessage>()
  let seen = 0
  return {
    of(actionId) {
      for (; seen < messages.length; seen++) {
        const message = messages[seen]
        const link = message === undefined ? undefined : buttonOf(message, 'open')?.url
        const about = link === undefined ? null : new URL(link).searchParams.get('action')
        if (message !== undefined && about !== null && !byAction.has(about)) byAction.set(about, message)
      }
      return byAction.get(actionId)
    },
  }
}

async function waves(
  storm: Storm,
  shops: readonly Shop[],
  { actions, kills }: { readonly actions: number; readonly kills: number },
): Promise<Raced[]> {
  const { fleet, random } = storm.scene
  const blows = mixed(random, [kills, killing(fleet, random)])
  const all: Raced[] = []
  let struck = 0
  let next = stageWave(fleet, shops, 0, Math.min(WAVE, actions))
  while (all.length < actions) {
    const wave = await next
    const begun = all.length + wave.length
    next = stageWave(fleet, shops, begun, Math.min(WAVE, actions - begun))
    const due = Math.round((kills * begun) / actions)
    await Promise.all([
      each(wave, (one, place) => race(storm, one, place)),
      // In the middle of it, one after the other.
      (async () => {
        for (; struck < due; struck++) {
          await pause(100 + random.int(900))
          await blows[struck]?.()
        }
      })(),
    ])
    all.push(...wave)
  }
  await next
  return all
}

const stageWave = (fleet: Fleet, shops: readonly Shop[], first: number, count: number): Promise<Raced[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, at): Promise<Raced> => {
      const number = first + at
      const shop = shops[number % shops.length]
      if (shop === undefined) throw new Error('There is no shop.')
      const tool = number % 2 === 0 ? 'refund_checked' : 'refund_order'
      const { actionId } = await stage(fleet, number, shop, { tool, number })
      return { shop, number, actionId, said: [], clicked: [], replacedBy: [] }
    }),
  )

/** Two people click, somebody confirms over the API, and of some writes somebody makes others, all within one moment. */
async function race({ scene, slack, posts, random }: Storm, one: Raced, seat: number): Promise<void> {
  const { fleet } = scene
  const { shop, actionId, number } = one
  await until(() => posts.of(actionId) !== undefined, POSTED_WITHIN_MS)
  const message = posts.of(actionId)
  const sometime = () => pause(random.int(LATEST_MS))
  const acts: (() => Promise<void>)[] = [
    async () => {
      // A click asks Slack who it is of before it confirms: whoever confirms over the API gives it that long.
      await sometime()
      await sometime()
      const said = await decide(fleet, seat, shop, { verb: 'confirm', actionId, userId: 8 })
      if (said !== null) one.said.push(said)
    },
  ]
  if (random.chance(0.4)) acts.push(() => amend(fleet, one, seat + 1))
  if (message !== undefined) {
    const [seven, eight] = PEOPLE
    const first = clickOf(slack, message, { verb: 'confirm', member: seven.member })
    acts.push(() => send(fleet, one, seat + 2, first))
    // Slack sends the same once more, at another process.
    acts.push(() => send(fleet, one, seat, first))
    const verb = number % 5 === 0 ? 'reject' : 'confirm'
    acts.push(() => send(fleet, one, seat + 1, clickOf(slack, message, { verb, member: eight.member })))
  }
  await Promise.all(acts.map((act) => sometime().then(act)))
}

type ToSend = Clicked & { readonly signed: SignedClick }

const clickOf = (slack: SlackServer, message: SlackMessage, { verb, member }: Omit<Clicked, 'ts'>): ToSend => ({
  verb,
  member,
  ts: message.ts,
  signed: slack.click(message, verb, { by: member }),
})

/** Until it is answered, as Slack tries: what is answered must not be lost. */
async function send(fleet: Fleet, one: Raced, seat: number, { signed, ...click }: ToSend): Promise<void> {
  const path = `/v1/notifications/slack/interactions/${one.shop.tenantId}`
  const { status, body } = await fleet.insist(seat, 'POST', path, signed)
  const { received } = (body ?? {}) as { received?: string }
  // A message that was rewritten before its click was made has no such button any longer.
  if (status !== 200) throw new Error(`A click was answered ${status}.`)
  if (received === 'click' || received === 'repeated') one.clicked.push(click)
}

async function amend(fleet: Fleet, one: Raced, seat: number): Promise<void> {
  const answer = await fleet.ask(seat, 'POST', `/v1/actions/${one.actionId}/amend`, {
    key: one.shop.apiKey,
    headers: { 'x-service-user-id': '7' },
    body: { arguments: { number: AMENDED + one.number } },
  })
  const body = answer?.body as Partial<z.output<typeof contract.AmendAnswer>> | undefined
  if (body?.status === 'preview' && typeof body.actionId === 'string') one.replacedBy.push(body.actionId)
}

/** For what comes after the storm: every write, and what took its place, also where nobody was told of it. */
async function everyWrite(db: Scene['db'], shops: readonly Shop[]): Promise<Told[]> {
  const rows = await db.rows(actionsOf, { tenantIds: shops.map(({ tenantId }) => tenantId) })
  return rows.flatMap(({ actionId, tenantId }) => {
    const shop = shops.find((one) => one.tenantId === tenantId)
    if (shop === undefined) return []
    return [{ shop, actionId, confirmKey: undefined, confirmed: [], reconciled: [], reconciles: 0 }]
  })
}
