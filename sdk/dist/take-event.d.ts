import type { EventName, TetherEvent } from './call.js';
import { type Performing } from './perform.js';
import { type Reply } from './reply.js';
export type EventTools = {
    readonly [Name in EventName | 'any']?: (event: TetherEvent) => unknown;
};
export declare const EMPTY: Reply;
/**
 * An event arrives at least once, and one that you have taken is not given to you again. What fails is sent again by the service,
 * so a claim that was left may be taken over by anybody.
 */
export declare function takeEvent(tools: EventTools, event: TetherEvent, performing: Performing): Promise<Reply>;
