import type { Call } from './call.js';
import { type Claims } from './claims.js';
import { type Reply } from './reply.js';
import { type SomeTool } from './tools.js';
export type Performing = {
    readonly claims: Claims<unknown>;
    readonly leaseMs: number;
    /** Told of whatever nobody expected. */
    readonly failed: (error: unknown) => void;
};
export declare const BROKEN: Reply;
/** What a tool returned or threw, as an answer, if it is one. */
export declare function run(work: () => unknown): Promise<Reply>;
export declare function performOnce(tool: SomeTool, call: Call, performing: Performing): Promise<Reply>;
/** Nobody has to guess it; no two claims may have the same. */
export declare const newHolder: () => string;
