import { type Embedder, type Space, spaceOf } from '../../kernel/model/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import type { Duty } from '../../tenancy/jobs/index.ts'
import type { Ledger } from '../../tenancy/usage/index.ts'
import { embeddingDuties } from './embed-documents.ts'
import { openQuestionVectors, type QuestionVectors } from './question-vector.ts'

export type Embeddings = {
  /** In which documents are embedded. */
  readonly space: Space
  readonly questions: QuestionVectors
  readonly duties: readonly Duty[]
  close(): Promise<void>
}

/** Undefined if no model is set up, or documents are turned off. `open` is called with the first. */
export function openEmbeddings(
  house: House,
  ledger: Ledger,
  open: (settings: House['settings']['ai']['embeddings'], now: () => number) => Embedder,
): Embeddings | undefined {
  const { ai, knowledge } = house.settings
  const space = spaceOf(ai.embeddings)
  if (space === null || !knowledge.enabled) return undefined
  const embedder = open(ai.embeddings, house.clock.now)
  const parts = { house, embedder, ledger }
  return {
    space,
    questions: openQuestionVectors(parts),
    duties: embeddingDuties(parts, space),
    close: () => embedder.close(),
  }
}
