import type { Line } from './line.js';
import type { Operations } from './operations.js';
import { type AnswerOf, type Asked, type Operation } from './request.js';
/** The operations that answer a list in pages. */
export type Listing = {
    [Name in Operation]: AnswerOf<Name> extends {
        nextAfter: unknown;
    } | {
        nextBefore: unknown;
    } ? Name : never;
}[Operation];
/** One of what a page lists. */
export type ItemOf<Name extends Listing> = {
    [Member in keyof Operations[Name]['answer']]-?: Operations[Name]['answer'][Member] extends readonly (infer Item)[] ? Item : never;
}[keyof Operations[Name]['answer']];
/** Every item of every page. A page says in `nextAfter` or `nextBefore` what the next one is asked with. */
export declare function each(line: Line, operation: string, asked?: Asked): AsyncGenerator<unknown, void, undefined>;
