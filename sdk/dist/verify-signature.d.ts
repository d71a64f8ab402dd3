import { type ReceivedHeaders } from './headers.js';
export type SignatureCheck = {
    /** The signing secret, `whsec_…`. */
    secret?: string | undefined;
    /** Instead of one: the new and the old secret, while a rotation is under way. Empty entries are passed over. */
    secrets?: readonly (string | undefined)[];
    headers: ReceivedHeaders;
    /** The body exactly as it came over the wire, before any parser. */
    body: string | Uint8Array | ArrayBuffer;
    /** How far the clocks may be apart. 300 unless told. */
    toleranceSeconds?: number;
    /** Milliseconds since 1970; the system's clock unless told. */
    now?: number;
};
export type SignatureResult = {
    ok: true;
    header: 'X-Service-Signature' | 'webhook-signature';
    timestamp: number;
} | {
    ok: false;
    reason: SignatureFault;
    message: string;
};
export type SignatureFault = keyof typeof messages;
declare const messages: {
    secret_missing: string;
    secret_malformed: string;
    body_not_raw: string;
    signature_missing: string;
    signature_malformed: string;
    timestamp_missing: string;
    timestamp_malformed: string;
    mismatch: string;
    too_old: string;
    too_new: string;
};
/**
 * Did the service send this? Looks at `X-Service-Signature` and at the Standard Webhooks header; one true signature is
 * enough. It never throws on what came over the wire.
 */
export declare function verifySignature(check: SignatureCheck): Promise<SignatureResult>;
export {};
