/** A `Headers` object, or the plain object that Node, Express and Fastify hand to a request handler. */
export type ReceivedHeaders = {
    get(name: string): string | null | undefined;
} | Readonly<Record<string, string | readonly string[] | undefined>>;
/** Finds a header in any letter case. One that came twice is joined, and then matches no form that we accept. */
export declare function header(headers: ReceivedHeaders, name: string): string | undefined;
