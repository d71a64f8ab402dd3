import { type Conversation, type Opening } from './conversation.js';
import { type Confirming, type Deciding, type Decision } from './decide.js';
import { type ClientOptions } from './line.js';
import type { Schemas } from './operations.js';
import { type ItemOf, type Listing } from './pages.js';
import { type AnswerOf, type Given, type Operation, type RequestOf } from './request.js';
import { type Staged, type Staging } from './stage.js';
import { type Frame, type Question, type Talking } from './stream.js';
type QueryOf<Name extends Operation> = RequestOf<Name> extends {
    query?: infer Query;
} ? Query : never;
export type Client = {
    /** Any operation, by the name that it has in the reference. Throws a `TetherError` for everything but success. */
    request<Name extends Operation>(operation: Name, ...given: Given<Name>): Promise<AnswerOf<Name>>;
    /** Every item of a list, page after page. */
    each<Name extends Listing>(operation: Name, ...given: Given<Name>): AsyncGenerator<ItemOf<Name>, void, undefined>;
    /** Stages a write. The answer says whether it was, and is not thrown where it was not. */
    stage(tool: string, given: object, staging?: Staging): Promise<Staged>;
    /** Confirms a staged write. Every status is an answer; a lost one is asked for with the same key, which runs nothing twice. */
    confirm(actionId: string, confirming?: Confirming): Promise<Decision>;
    reject(actionId: string, rejecting?: Deciding & Schemas['RejectRequest']): Promise<Decision>;
    /** Settles a write whose outcome is not known. */
    reconcile(actionId: string, reconciling?: Deciding & Schemas['ReconcileRequest']): Promise<Decision>;
    /** Staged writes, newest first: the pending ones, unless `status` says otherwise. */
    actions(query?: QueryOf<'GET /v1/actions'>): AsyncGenerator<Schemas['Action'], void, undefined>;
    /** The trail, oldest first. */
    audit(query?: QueryOf<'GET /v1/audit'>): AsyncGenerator<ItemOf<'GET /v1/audit'>, void, undefined>;
    /** Attempts to deliver events and mails, newest first. */
    deliveries(query?: QueryOf<'GET /v1/events/deliveries'>): AsyncGenerator<Schemas['Delivery'], void, undefined>;
    /** One question and its whole answer. */
    ask(question: Question, talking?: Talking): Promise<Schemas['ChatAnswer']>;
    /** One question and the frames of its answer. It goes on where a connection breaks off. */
    stream(question: Question, talking?: Talking): AsyncGenerator<Frame, void, undefined>;
    /** Questions that belong together. */
    conversation(opening?: Opening): Conversation;
};
/** Speaks with the service. */
export declare function client(options: ClientOptions): Client;
export {};
