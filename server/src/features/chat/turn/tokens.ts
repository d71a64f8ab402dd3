/** Estimates how many tokens a text has, for reservations and for the offer of tools, never for billing. */
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

/** A rough estimate of the tokens for a picture. */
export const TOKENS_OF_A_PICTURE = 1_000
