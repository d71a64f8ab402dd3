// Makes text from strangers comparable, and safe to look at.
export { isImperative, isParticiple, isVerbalNoun, isWished, isWishedOfYou, verbKey } from './georgian-verbs.ts'
export { normalized } from './normalized.ts'
export { piecesOf } from './pieces.ts'
export { romanised } from './romanised.ts'
export { isStorable, storableText } from './storable.ts'
export { codeOfSign, onOneLine, type UnseenRun, unseenIn, withSignsTold } from './unseen.ts'
export { isInWindow, windowsOf } from './windows.ts'
export { formsOf, stemOf, wordsIn } from './word-forms.ts'
