// What a business wrote for its assistant to answer from: documents, their chunks, and finding the ones that fit a question.
export { deleteDocument, listDocuments, mustBeEnabled, putDocument, readDocumentNamed } from './documents.ts'
export { openEmbeddings } from './embeddings.ts'
export { type Finder, findByWords, LEAST } from './find-passages.ts'
export { openLibrary } from './library.ts'
export { knowledgeRoutes } from './routes.ts'
export { openRetrieval, searchDocuments } from './search.ts'
