import { ruleList } from '../../../writes/writes/index.ts'
import type { Classifier } from './moderation.ts'

/** Writes on the list of what is never run are not answered either, so that list is a classifier with one category. */
export const fixedList: Classifier = {
  async classify(text) {
    const principle = await ruleList.forbids({ tool: '', summary: text, argumentsText: '' })
    return principle === null ? [] : [{ category: 'minors', principle }]
  },
}
