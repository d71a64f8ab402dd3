/** How large the people and the policy of a workspace may get: all of it is read at every confirm, or listed whole. */
export const mostPeople = 5_000
export const longestName = 200
export const longestEmail = 254
export const longestRole = 64

export const mostRules = 100
/** Entries among the tools, domains or roles of one rule. */
export const mostListed = 200
export const longestDomain = 100
export const mostApprovers = 5
/** Of all versions of a workspace together. Older documents go; the newest one stays however large it is. */
export const mostPolicyBytes = 16 * 1024 * 1024
/** Of a policy in shadow: so many differences are kept, the latest ones. All of them are counted. */
export const mostDifferences = 1_000
