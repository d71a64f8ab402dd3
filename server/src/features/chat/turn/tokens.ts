/** About how many tokens a text has, for reservations and for what may be offered: never what is billed. */
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

/** What a picture costs a model to look at, roughly. */
export const TOKENS_OF_A_PICTURE = 1_000
