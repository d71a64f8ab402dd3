export { openEmbedder, spaceOf } from './embeddings/open-embedder.ts'
export type { Embedder, EmbeddingRequest, Space } from './embeddings/port.ts'
export { type Envelope, openEnvelope, type Passage, readEnvelopes, readPassages } from './envelope.ts'
export { figureOf, type Marks, openMarks, withoutMarks } from './marks.ts'
export { openModel, openModels } from './open-model.ts'
export {
  type ClosableModel,
  type FinishReason,
  type Message,
  type Model,
  type ModelCall,
  ModelFailure,
  type ModelPart,
  type ModelRequest,
  type ModelUsage,
  type OfferedTool,
  type Picture,
} from './port.ts'
export { costOf, type Price, priceOf, usdText } from './prices.ts'
export { storableStream } from './storable-stream.ts'
