/** What the people of a workspace and its policy may be at most. All of it is read at every confirm or listed whole. */
export const mostPeople = 5_000
export const longestName = 200
export const longestEmail = 254
export const longestRole = 64

export const mostRules = 100
/** Of the tools, domains or roles of one rule. */
export const mostListed = 200
export const longestDomain = 100
export const mostApprovers = 5
