/** What is answered to one request, and remembered of a write: replays are the same to the byte. */
export type Reply = {
    readonly status: number;
    readonly body: string;
};
export declare const json: (status: number, value: unknown) => Reply;
/** The first request with this key is still running, or ended in a way that nobody knows. */
export declare const IN_FLIGHT: Reply;
/** Thrown (or returned) by a tool to answer something other than success. */
export declare class Refusal extends Error {
    readonly name = "Refusal";
    readonly reply: Reply;
    constructor(status: number, value: {
        readonly status: string;
        readonly message: string;
    });
}
/**
 * There is no such thing: of a read the model is told so, in these words, so write them for your visitor. A write fails with
 * `RESOURCE_NOT_FOUND`.
 */
export declare const notFound: (message?: string) => Refusal;
declare const REFUSALS: {
    readonly invalid: 422;
    readonly forbidden: 403;
    readonly conflict: 409;
    readonly refused: 410;
};
/**
 * You will not do it: the write has failed for good, and whoever sends it again gets the same answer. `why` decides the code in the
 * trail: `invalid` VALIDATION_ERROR, `forbidden` FORBIDDEN, `conflict` CONFLICT, `refused` EXECUTION_FAILED.
 */
export declare const refused: (message: string, why?: keyof typeof REFUSALS) => Refusal;
/** Thrown by a tool that is certain to have changed nothing: a write is pending again, and a read is tried again. */
export declare class TryLater extends Error {
    readonly name = "TryLater";
}
export declare const tryLater: (message?: string) => TryLater;
export declare const later: (message: string) => Reply;
/** What a tool returned, as an answer. */
export declare function replyOf(value: unknown): Reply;
export {};
