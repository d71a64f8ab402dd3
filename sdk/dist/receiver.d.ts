import type { ToolSpec } from './catalog.js';
import type { Claims } from './claims.js';
import { type Doors } from './doors.js';
import type { ReceivedHeaders } from './headers.js';
import { type Reply } from './reply.js';
import { type EventTools } from './take-event.js';
import type { AnyTools, ToolsOf } from './tools.js';
type Options<Tools, Transaction> = {
    /** The signing secret, `whsec_…`, or the new and the old one while you rotate it. */
    readonly secret: string | undefined | readonly (string | undefined)[];
    /** Your functions, by the names of the tools. */
    readonly tools: Tools;
    /** Where idempotency keys are claimed. Without it they are kept in memory, and a restart forgets them. */
    readonly claims?: Claims<Transaction>;
    /** What you do when something happened, by the name of the event; `any` is for all that have no function of their own. */
    readonly events?: EventTools;
    /** Longer than the slowest write takes: then a claim without an answer counts as left. The default is 60. */
    readonly leaseSeconds?: number;
    /**
     * Whether the operator of the service may ask which writes were claimed, with a call that is signed like any other: after a
     * database that lost its last transactions (`npm run recover`). It is told keys, tools, statuses and times. The default is false.
     */
    readonly listsClaims?: boolean;
    /** Told of whatever a tool throws that is no answer. The default writes it to the console. */
    readonly onError?: (error: unknown) => void;
};
export type ReceiverOptions<Catalog extends readonly ToolSpec[], Transaction> = Options<ToolsOf<Catalog, Transaction>, Transaction> & {
    /** The tools as you register them (`PUT /v1/tools`): it types their arguments, and none of them may be forgotten. */
    readonly catalog: Catalog;
};
/** A request as it came: any header object, and the body before a parser has read it. */
export type RawRequest = {
    readonly headers: ReceivedHeaders;
    readonly body: string | Uint8Array | ArrayBuffer;
};
export type Receiver = Doors & {
    /** For whatever framework is not named here: what to answer to a POST. A body that is not empty is JSON. */
    answer(request: RawRequest): Promise<Reply>;
    /**
     * Writes down what became of a write whose claim was left without an answer, after a person has found out: the next reconcile gets
     * it. False where there is no such claim.
     */
    settle(requestId: string, reply: {
        readonly status: number;
        readonly result: unknown;
    }): Promise<boolean>;
};
/** Receives signed calls and events, and runs each write once. */
export declare function receiver<const Catalog extends readonly ToolSpec[], Transaction = never>(options: ReceiverOptions<Catalog, Transaction>): Receiver;
export declare function receiver<Transaction = never>(options: Options<AnyTools<Transaction>, Transaction>): Receiver;
export {};
