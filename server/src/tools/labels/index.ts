// What people call a tool and its arguments: what the business declared, and without that what is known of the reader's language.
export { isOneLine, LONGEST_LABEL, readLabels } from './declared.ts'
export { type Called, fieldIn, labelsOf, partsIn, partsOfName, titleIn } from './names.ts'
