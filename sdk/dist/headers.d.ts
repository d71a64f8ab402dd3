/** A `Headers` object, or the plain object that Node, Express and Fastify hand to a request handler. */
export type ReceivedHeaders = {
    get(name: string): string | null | undefined;
} | Readonly<Record<string, string | readonly string[] | undefined>>;
/** Names in any case. A header that came twice is joined, and then fits no form that we look for. */
export declare function header(headers: ReceivedHeaders, name: string): string | undefined;
