// Finds the pieces of texts that fit a question: cuts texts into chunks, indexes them by words and by grams of letters, and ranks
// them. Knows no business word, no database and no model.
export type { TextFormat } from './blocks.ts'
export { charsIn, cutText } from './cut-text.ts'
export { findChunks, findChunksByPart } from './find-chunks.ts'
export { fuseRankings } from './rank.ts'
export { foundBy, MOST_CHUNKS, openSegment, packSegment, type Segment } from './segment.ts'
export { splitQuestion } from './split-question.ts'
export { digestOf, nearest, openVectors, packVectors, type Vectors } from './vectors.ts'
