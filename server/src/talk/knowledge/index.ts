// What a business wrote for its assistant to answer from: documents, their chunks, and finding the ones that fit a question.
export { deleteDocument, listDocuments, mustBeEnabled, putDocument, readDocumentNamed } from './documents.ts'
export { type Embeddings, openEmbeddings } from './embeddings.ts'
export { findByWords, LEAST } from './find.ts'
export type { Finder } from './find-passages.ts'
export { type Library, openLibrary } from './library.ts'
export { openRetrieval } from './retrieval.ts'
export { knowledgeRoutes } from './routes.ts'
export { searchDocuments } from './search.ts'
