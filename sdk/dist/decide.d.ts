import { type Line } from './line.js';
import type { Schemas } from './operations.js';
export type Decision = Schemas['ConfirmAnswer'];
type Verb = 'confirm' | 'reject' | 'reconcile';
export type Deciding = {
    /** Who decides, by their id in your own system: `X-Service-User-Id`. */
    readonly userId?: number | undefined;
    /** Such as `X-Service-Upstream-Token`. */
    readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
    readonly signal?: AbortSignal | undefined;
};
export type Confirming = Deciding & Schemas['ConfirmRequest'];
export declare function confirm(line: Line, actionId: string, confirming?: Confirming): Promise<Decision>;
export declare function decide(line: Line, verb: Verb, actionId: string, { userId, headers: more, signal }: Deciding, body?: object): Promise<Decision>;
export {};
