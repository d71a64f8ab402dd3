import { section, setting } from '../setting.ts'
import { flag, whole } from '../shapes.ts'

export const knowledge = section('Knowledge', 'The documents from which the assistant answers.', {
  enabled: setting(flag, { default: true, meaning: 'Whether workspaces may have documents.' }),
  maxDocuments: setting(whole(1, 10_000), { default: 20, meaning: 'The most documents of one workspace.' }),
  maxDocumentChars: setting(whole(100, 1_000_000), {
    default: 50_000,
    meaning: 'The longest document, in Unicode code points.',
  }),
  chunkChars: setting(whole(100, 10_000), {
    default: 900,
    meaning:
      'The longest piece in which a document is found and quoted, in characters. A change counts for documents written after it.',
  }),
  chunkOverlapChars: setting(whole(0, 1000), {
    default: 120,
    meaning:
      'How much of the piece before each piece repeats, in characters. At most half of Knowledge:ChunkChars counts.',
  }),
  cacheBytes: setting(whole(1_048_576, 1_099_511_627_776), {
    default: 67_108_864,
    meaning: 'How much memory of each process holds documents that are in use, in bytes.',
  }),
})
