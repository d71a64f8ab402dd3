// What a business wrote for its assistant to answer from: documents, their chunks, and finding the ones that fit a question.
export { putDocument } from './documents.ts'
export { KNOWLEDGE_BELL, WRITES_DOCUMENT } from './embed-documents.ts'
export { type Embeddings, openEmbeddings } from './embeddings.ts'
export { findByWords } from './find.ts'
export type { Finder } from './find-passages.ts'
export { type Library, openLibrary } from './library.ts'
export { openRetrieval } from './retrieval.ts'
export { knowledgeRoutes } from './routes.ts'
