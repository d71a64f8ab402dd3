import { type Line } from './line.js';
import type { Schemas } from './operations.js';
export type Frame = Exclude<Schemas['ChatFrame'], {
    type: 'error';
}>;
/** The `data:` of one event of a watch: `{ sessionId, watch: true }`. */
export type WatchFrame = Schemas['WatchFrame'];
export type Talking = {
    /** Such as `X-Service-Customer-Token` or `X-Service-User-Id`. */
    readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
    readonly signal?: AbortSignal | undefined;
};
export type Question = Omit<Schemas['ChatRequest'], 'session_id'>;
/** Reads on where a connection broke off, and stops the turn if its reader leaves. An `error` frame is thrown. */
export declare function stream(line: Line, question: Question, talking?: Talking): AsyncGenerator<Frame, void, undefined>;
