import type { ReceivedHeaders } from './headers.js';
import { type Reply } from './reply.js';
type Answer = (request: {
    readonly headers: ReceivedHeaders;
    readonly body: string | Uint8Array | ArrayBuffer;
}) => Promise<Reply>;
/** A request of `node:http`, of Express (also behind `express.raw()`), or of a platform that keeps a `rawBody`. */
export type NodeRequest = AsyncIterable<Uint8Array | string> & {
    readonly method?: string | undefined;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly readableEnded?: boolean;
    readonly body?: unknown;
    readonly rawBody?: unknown;
};
export type NodeResponse = {
    destroy(): unknown;
    writeHead(status: number, headers: Record<string, string>): unknown;
    end(text?: string): unknown;
};
/** A Fastify instance. Its methods have many forms, and which of them we use stands in `UsedScope`. */
export type FastifyScope = {
    removeAllContentTypeParsers(): unknown;
    addContentTypeParser: (...given: never[]) => unknown;
    post: (...given: never[]) => unknown;
};
export type Doors = {
    /** Fetch-style: Hono (`(c) => tools.fetch(c.req.raw)`), Next (`export const POST = tools.fetch`), Deno, Bun, Workers. */
    readonly fetch: (request: Request) => Promise<Response>;
    /** `createServer(tools.node)`, `app.post('/tools', tools.node)` in Express, `export default tools.node` in Next's `pages/api`. */
    readonly node: (request: NodeRequest, response: NodeResponse) => Promise<void>;
    /** `app.register(tools.fastify, { prefix: '/tools' })`. */
    readonly fastify: (scope: FastifyScope) => Promise<void>;
};
export declare function openDoors(answer: Answer): Doors;
export {};
