import { type Claims } from './claims.js';
/** A database of `node:sqlite`, `better-sqlite3` or `bun:sqlite`. */
export type SqliteDatabase = {
    exec(sql: string): unknown;
    prepare(sql: string): SqliteStatement;
};
type SqliteStatement = {
    get(...values: SqliteValue[]): unknown;
    all(...values: SqliteValue[]): unknown[];
    run(...values: SqliteValue[]): unknown;
};
type SqliteValue = string | number | null;
/**
 * In SQLite, by your own database; its table is created. Where several processes share the file, give the database a busy timeout.
 * Tools of the form `{ transaction }` get the database and must not wait for anything, because they share its one connection.
 */
export declare function sqliteClaims<Database extends SqliteDatabase>(database: Database): Claims<Database>;
export {};
