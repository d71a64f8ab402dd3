/** The letters from U+10D0 on, as the keys of the national keyboard. */
export const LETTERS = 'abgdevzTiklmnopJrstufqRySCcZwWxjh'
