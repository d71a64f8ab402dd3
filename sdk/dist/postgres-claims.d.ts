import { type Claims } from './claims.js';
/** A client of `pg`, or anything that asks in the same way. */
export type PostgresClient = {
    query(text: string, values?: unknown[]): Promise<{
        rows: unknown[];
    }>;
    release(error?: boolean): void;
};
export type PostgresPool<Client extends PostgresClient> = {
    connect(): Promise<Client>;
};
export type PostgresClaims<Client> = Claims<Client> & {
    /** The table, for your migrations. */
    readonly schema: string;
    /** Creates the table where it is missing, and adds what a table of an older version lacks. */
    setUp(): Promise<void>;
};
/** In PostgreSQL, by your own pool (`pg`). Tools of the form `{ transaction }` get its client, in the transaction of their claim. */
export declare function postgresClaims<Client extends PostgresClient>(pool: PostgresPool<Client>): PostgresClaims<Client>;
