import { z } from 'zod'

/** What does not refuse a policy but is usually a mistake. `more` counts the warnings that are not shown. */
export const POLICY_WARNINGS = [
  'unknown_tool',
  'not_a_write',
  'unknown_domain',
  'unknown_role',
  'no_people',
  'too_few_people',
  'uncovered_write',
  'more',
] as const
export type PolicyWarningCode = (typeof POLICY_WARNINGS)[number]

export const PolicyWarnings = z
  .array(
    z.object({
      code: z.enum(POLICY_WARNINGS),
      rule: z.int().nullable().meta({ description: 'The place of the rule in the policy, from 0.' }),
      name: z.string().nullable().meta({ description: 'The tool, domain or role.' }),
      message: z.string(),
    }),
  )
  .meta({ id: 'PolicyWarnings', description: 'What does not fit the policy in force. Empty without a policy.' })
