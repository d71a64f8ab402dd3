// The model as the service opens it: our own reader of Chat Completions.
import { type ClosableModel, openModel } from '../../server/src/kernel/model/index.ts'

export const realModel = (baseUrl: string): ClosableModel =>
  openModel({ kind: 'openai-compatible', baseUrl, apiKey: 'none', timeoutSeconds: 60, silenceSeconds: 30 }, Date.now)
