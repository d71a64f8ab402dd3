import type { Line } from './line.js';
import type { Schemas } from './operations.js';
export type Staging = {
    readonly rationale?: string | undefined;
    /** The token of the answer then speaks for this person and for no one else. */
    readonly approverUserId?: number | undefined;
    /** The same key and the same request return the same action. A fresh one, unless set. */
    readonly idempotencyKey?: string | undefined;
    /** Such as `X-Service-Customer-Token` or `X-Service-User-Id`. */
    readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
    readonly signal?: AbortSignal | undefined;
};
/** `status` is `preview` for a write that was staged, and says why for one that was not. */
export type Staged = Schemas['StageAnswer'] | Schemas['NotStaged'];
export declare function stage(line: Line, tool: string, given: object, staging?: Staging): Promise<Staged>;
