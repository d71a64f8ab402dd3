import type { Line } from './line.js';
import type { Schemas } from './operations.js';
import { type Frame, type Question, type Talking } from './stream.js';
export type Opening = Pick<Talking, 'headers'> & {
    /** The conversation to go on with. Without it, the first question begins one. */
    readonly sessionId?: string | undefined;
};
export type Conversation = {
    /** Keep it to go on later. Undefined before the first answer. */
    readonly sessionId: string | undefined;
    ask(prompt: string, more?: More): Promise<Schemas['ChatAnswer']>;
    stream(prompt: string, more?: More): AsyncGenerator<Frame, void, undefined>;
    /** Erases what was said. */
    erase(): Promise<void>;
};
type More = Omit<Question, 'prompt' | 'sessionId'> & {
    readonly signal?: AbortSignal | undefined;
};
export declare function conversation(line: Line, { headers, sessionId }?: Opening): Conversation;
export {};
