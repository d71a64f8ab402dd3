// Teams: a card in a workflow, whose one link leads to the inbox. A card cannot be rewritten, and nothing in it decides.
import type * as contract from '@tether/contract'
import type { Driver } from '../driver.ts'
import { adaptiveCard, plainCard } from './adaptive-card.ts'
import { postToTeams, type TeamsSecrets } from './send.ts'
import { teamsSettings } from './settings.ts'

export const teams: Driver<TeamsSecrets, typeof contract.TeamsRequest> = {
  kind: 'teams',
  name: 'Teams',
  settings: teamsSettings,
  form: {
    lead: { en: 'A card leads to the inbox, where people decide.', ka: 'ბარათი გადაწყვეტილებების გვერდზე მიდის.' },
    fields: [
      {
        name: 'url',
        label: { en: 'Address of the workflow', ka: 'სამუშაო პროცესის (workflow) მისამართი' },
        hint: {
          en: 'Of “When a Teams webhook request is received”. It is a credential: it is sealed, and only its host is shown.',
          ka: 'ტრიგერიდან „When a Teams webhook request is received“. ის საიდუმლოა: დაშიფრული ინახება და მხოლოდ ჰოსტი ჩანს.',
        },
        isSecret: true,
        example: 'https://…',
      },
    ],
    save: { en: 'Save', ka: 'შენახვა' },
    saved: {
      en: 'Saved. The next write that waits is posted there.',
      ka: 'შენახულია. შემდეგი მომლოდინე ცვლილება იქ გამოჩნდება.',
    },
  },
  faults: {},
  post: (house, to, draft) => postToTeams(house, to, adaptiveCard(draft)),
  async say(house, to, text) {
    const sent = await postToTeams(house, to, plainCard(text))
    return sent.ok === true ? null : sent.fault
  },
}
