import type { HostileCase } from '../case.ts'
import { answerCases } from './answers.ts'
import { batchCases } from './batches.ts'
import { formCases } from './forms.ts'
import { memoryCases } from './memory.ts'
import { numberCases } from './numbers.ts'
import { pageCases } from './pages.ts'
import { promptCases } from './prompts.ts'
import { providerCases } from './providers.ts'
import { publicCases } from './public.ts'
import { roomCases } from './rooms.ts'
import { schemaCases } from './schemas.ts'
import { siteCases } from './sites.ts'
import { textCases } from './texts.ts'
import { vocabularyCases } from './vocabulary.ts'

/** What was proved against an earlier build, and its sisters. Another fault of the kind is another line in one of these. */
export const hostileCases: readonly HostileCase[] = [
  ...schemaCases,
  ...textCases,
  ...numberCases,
  ...pageCases,
  ...formCases,
  ...answerCases,
  ...promptCases,
  ...memoryCases,
  ...roomCases,
  ...vocabularyCases,
  ...siteCases,
  ...providerCases,
  ...publicCases,
  ...batchCases,
]
