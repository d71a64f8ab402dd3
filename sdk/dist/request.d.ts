import { type Line } from './line.js';
import { type Operations } from './operations.js';
export type Operation = keyof Operations;
export type AnswerOf<Name extends Operation> = Operations[Name]['answer'];
export type RequestOf<Name extends Operation> = Operations[Name]['request'] & {
    readonly signal?: AbortSignal | undefined;
};
/** The request may be left out where it needs nothing. */
export type Given<Name extends Operation> = Record<never, never> extends RequestOf<Name> ? [request?: RequestOf<Name>] : [request: RequestOf<Name>];
/** A request, its types erased: the compiler has held them against the operation. */
export type Asked = {
    readonly params?: Readonly<Record<string, unknown>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly body?: unknown;
    readonly signal?: AbortSignal | undefined;
};
/** Sends it again where that cannot do anything twice, and answers what came, whatever its status. */
export declare function exchange(line: Line, operation: string, asked: Asked): Promise<{
    response: Response;
    body: unknown;
}>;
/** As `exchange`, and everything but success is thrown. */
export declare function request(line: Line, operation: string, asked?: Asked): Promise<unknown>;
