import type { Claims } from './claims.js';
/** A client of `redis` (node-redis), of `ioredis`, or a function that sends one command. */
export type RedisClient = {
    sendCommand(command: string[]): Promise<unknown>;
} | {
    call(command: string, ...words: string[]): Promise<unknown>;
} | ((command: string[]) => Promise<unknown>);
export type RedisClaimsOptions = {
    /** Before each key. The default is `tether:claim:`. */
    readonly prefix?: string;
    /** How long an answer is remembered. The default is 90. An open claim is kept for ever. */
    readonly keepDays?: number;
};
/** In Redis or Valkey, by your own client. A claim is as durable as they are: what they forget may be performed again. */
export declare function redisClaims(client: RedisClient, options?: RedisClaimsOptions): Claims;
