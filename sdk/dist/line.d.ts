export type ClientOptions = {
    /** The address of the service, without a path: `https://assistant.example`. */
    readonly url: string;
    /** Any kind of key. A secret key stays on your server. Only what needs none, such as signing up, goes without. */
    readonly key?: string | undefined;
    /** Sent with each request, such as `X-Service-Scope-Id`. */
    readonly headers?: Readonly<Record<string, string | undefined>>;
    /** How long one request may take. The default is 120. */
    readonly timeoutSeconds?: number;
    /** How often a request is sent again that may be. The default is 3. */
    readonly retries?: number;
    /** The longest wait before it is sent again: what `Retry-After` asks beyond that is yours to decide. The default is 30. */
    readonly longestWaitSeconds?: number;
    /** Another `fetch`. */
    readonly fetch?: typeof fetch;
    /** What reads and writes bodies instead of `JSON`, where numbers have more digits than JavaScript keeps. */
    readonly json?: JsonText;
};
export type JsonText = {
    parse(text: string): unknown;
    stringify(value: unknown): string;
};
export type Sending = {
    readonly operation: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
    readonly body?: unknown;
    readonly signal?: AbortSignal | undefined;
};
export type Line = {
    readonly retries: number;
    readonly longestWaitMs: number;
    readonly json: JsonText;
    /** One attempt. Throws where there is no answer, or one that leads elsewhere. */
    send(sending: Sending): Promise<Response>;
};
export declare function openLine(options: ClientOptions): Line;
export declare function pause(ms: number, signal?: AbortSignal): Promise<void>;
/** Doubles with each attempt, and is never the same for two callers. */
export declare const backoff: (attempt: number) => number;
