/** The Georgian letters from U+10D0 on, as the Latin keys of the national keyboard. */
export const LETTERS = 'abgdevzTiklmnopJrstufqRySCcZwWxjh'
