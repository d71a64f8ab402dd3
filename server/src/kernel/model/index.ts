export { type EmbeddingSettings, openEmbedder, spaceOf } from './embeddings/open-embedder.ts'
export type { Embedded, Embedder, EmbeddingRequest, Space } from './embeddings/port.ts'
export { type Envelope, openEnvelope, type Passage, readEnvelopes, readPassages } from './envelope.ts'
export { figureOf, type Marks, openMarks, withoutMarks } from './marks.ts'
export { type ModelSettings, type ModelsByPlan, modelOf, openModel, openModels } from './open-model.ts'
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
export { type Cost, costOf, type Price, type Prices, priceOf, usdText } from './prices.ts'
export { storableStream } from './storable-stream.ts'
