import { type Conversation, conversation, type Opening } from './conversation.ts'
import { type Confirming, confirm, type Deciding, type Decision, decide } from './decide.ts'
import { type ClientOptions, openLine } from './line.ts'
import type { Schemas } from './operations.ts'
import { each, type ItemOf, type Listing } from './pages.ts'
import { type AnswerOf, type Asked, type Given, type Operation, type RequestOf, request } from './request.ts'
import { type Staged, type Staging, stage } from './stage.ts'
import { type Frame, type Question, stream, type Talking } from './stream.ts'

type QueryOf<Name extends Operation> = RequestOf<Name> extends { query?: infer Query } ? Query : never

export type Client = {
  /** Any operation, by the name that it has in the reference. Throws a `TetherError` for everything but success. */
  request<Name extends Operation>(operation: Name, ...given: Given<Name>): Promise<AnswerOf<Name>>
  /** Every item of a list, page after page. */
  each<Name extends Listing>(operation: Name, ...given: Given<Name>): AsyncGenerator<ItemOf<Name>, void, undefined>

  /** Stages a write. The answer says whether it was, and is not thrown where it was not. */
  stage(tool: string, given: object, staging?: Staging): Promise<Staged>
  /** Confirms a staged write. Every status is an answer; a lost one is asked for with the same key, which runs nothing twice. */
  confirm(actionId: string, confirming?: Confirming): Promise<Decision>
  reject(actionId: string, rejecting?: Deciding & Schemas['RejectRequest']): Promise<Decision>
  /** Settles a write whose outcome is not known. */
  reconcile(actionId: string, reconciling?: Deciding & Schemas['ReconcileRequest']): Promise<Decision>

  /** Staged writes, newest first: the pending ones, unless `status` says otherwise. */
  actions(query?: QueryOf<'GET /v1/actions'>): AsyncGenerator<Schemas['Action'], void, undefined>
  /** The trail, oldest first. */
  audit(query?: QueryOf<'GET /v1/audit'>): AsyncGenerator<ItemOf<'GET /v1/audit'>, void, undefined>
  /** Attempts to deliver events and mails, newest first. */
  deliveries(query?: QueryOf<'GET /v1/events/deliveries'>): AsyncGenerator<Schemas['Delivery'], void, undefined>

  /** One question and its whole answer. */
  ask(question: Question, talking?: Talking): Promise<Schemas['ChatAnswer']>
  /** One question and the frames of its answer. It goes on where a connection breaks off. */
  stream(question: Question, talking?: Talking): AsyncGenerator<Frame, void, undefined>
  /** Questions that belong together. */
  conversation(opening?: Opening): Conversation
}

/** Speaks with the service. */
export function client(options: ClientOptions): Client {
  const line = openLine(options)
  // What the declaration promises of an operation, the generated types have taken from the service; here they are erased.
  const untyped = {
    request: (operation: string, asked?: Asked) => request(line, operation, asked),
    each: (operation: string, asked?: Asked) => each(line, operation, asked),
    stage: (tool: string, given: object, staging?: Staging) => stage(line, tool, given, staging),
    confirm: (actionId: string, confirming?: Confirming) => confirm(line, actionId, confirming),
    reject: (actionId: string, { userId, headers, signal, ...body }: Deciding & object = {}) =>
      decide(line, 'reject', actionId, { userId, headers, signal }, body),
    reconcile: (actionId: string, { userId, headers, signal, ...body }: Deciding & object = {}) =>
      decide(line, 'reconcile', actionId, { userId, headers, signal }, body),
    actions: (query: object = {}) => each(line, 'GET /v1/actions', { query: { ...query } }),
    audit: (query: object = {}) => each(line, 'GET /v1/audit', { query: { ...query } }),
    deliveries: (query: object = {}) => each(line, 'GET /v1/events/deliveries', { query: { ...query } }),
    ask: (body: Question, talking: Talking = {}) => request(line, 'POST /v1/chat', { body, ...(talking as Asked) }),
    stream: (question: Question, talking?: Talking) => stream(line, question, talking),
    conversation: (opening?: Opening) => conversation(line, opening),
  }
  return untyped as unknown as Client
}
