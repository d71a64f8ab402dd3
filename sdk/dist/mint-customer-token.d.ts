export type CustomerTokenRequest = {
    /** The customer-token key, `tck_…`. It stays on your server. */
    key: string;
    tenantId: number;
    /** Who the customer is in your own system: 1 to 200 printable characters. */
    customerId: string;
    /** At most 3600. The default is 900. */
    lifetimeSeconds?: number;
    name?: string;
    email?: string;
    locale?: string;
    /** Milliseconds since 1970. The default is the system's clock. */
    now?: number;
};
/** Makes the value of `X-Service-Customer-Token` for one customer who is signed in with you: a JWT, HS256. */
export declare function mintCustomerToken(request: CustomerTokenRequest): Promise<string>;
