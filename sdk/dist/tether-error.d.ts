import type { ErrorCode, FrameCode, Schemas } from './operations.js';
/** Codes of our own, for what never reached the service or never came back from it. */
export type LineCode = 'connection_lost' | 'timeout' | 'unexpected_answer';
export type TetherErrorCode = ErrorCode | FrameCode | Schemas['ConfirmErrorCode'] | Schemas['NotStaged']['status'] | LineCode | (string & {});
type Details = {
    readonly code: TetherErrorCode;
    readonly operation: string;
    readonly status?: number | undefined;
    readonly requestId?: string | null | undefined;
    readonly reason?: string | undefined;
    readonly retryAfterSeconds?: number | undefined;
    readonly body?: unknown;
    readonly cause?: unknown;
};
/** What the service refused, or why there is no answer. */
export declare class TetherError extends Error {
    readonly name = "TetherError";
    /** What a program decides by; docs/reference/errors.md says what to do for each. */
    readonly code: TetherErrorCode;
    /** Such as `POST /v1/actions`. */
    readonly operation: string;
    /** Of HTTP; 0 where no answer came. */
    readonly status: number;
    /** `X-Request-Id`: name it when you ask the operator. Null where no answer came. */
    readonly requestId: string | null;
    readonly reason: string | undefined;
    readonly retryAfterSeconds: number | undefined;
    /** The answer as it came. */
    readonly body: unknown;
    constructor(message: string, { code, operation, status, requestId, reason, retryAfterSeconds, body, cause }: Details);
}
/** Whether the request may have been carried out, and its answer is missing. */
export declare const isLost: ({ status, code }: TetherError) => boolean;
/** As `{error: {…}}`, as `{status, …}`, or as `{error: "…"}`. */
export declare function errorOf(operation: string, response: Response, body: unknown): TetherError;
export {};
