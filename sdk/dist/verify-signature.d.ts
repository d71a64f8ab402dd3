import { type ReceivedHeaders } from './headers.js';
export type SignatureCheck = {
    /** The signing secret, `whsec_…`. */
    secret?: string | undefined;
    /** The new and the old secret, while you rotate it. Empty entries are ignored. */
    secrets?: readonly (string | undefined)[];
    headers: ReceivedHeaders;
    /** The body exactly as it came over the wire, before any parser. */
    body: string | Uint8Array | ArrayBuffer;
    /** How far the clocks may differ. The default is 300. */
    toleranceSeconds?: number;
    /** Milliseconds since 1970. The default is the system's clock. */
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
 * Checks that the service sent this request. It looks at `X-Service-Signature` and at the Standard Webhooks header, and one
 * valid signature is enough. It never throws because of what came over the wire.
 */
export declare function verifySignature(check: SignatureCheck): Promise<SignatureResult>;
/** What is wrong with the secrets themselves, before anything has come. */
export declare function faultOfSecrets(texts: readonly (string | undefined)[]): string | undefined;
export {};
