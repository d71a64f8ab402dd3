import { ruleList } from '../../actions/index.ts'
import type { Classifier } from './moderation.ts'

/** What is never run is not answered either: the list of staged writes, as a classifier of one category. */
export const fixedList: Classifier = {
  async classify(text) {
    const principle = await ruleList.forbids({ tool: '', summary: text, argumentsText: '' })
    return principle === null ? [] : [{ category: 'minors', principle }]
  },
}
