// What an import may cost. Each bound was measured on real documents (the largest stands beside it) and on hostile ones.

/** Operations of a document that can be drafted: more than a catalog may hold, so that a person can skip the others. GitHub has 1,223. */
export const mostOperations = 20_000
/** Steps of reading: a parameter, a member of a body, a hop of a reference, five for an operation. Kubernetes takes 26,000. */
export const mostSteps = 500_000
/** Characters of a draft's answer. Kubernetes has 4 million. */
export const mostDraftCharacters = 16 * 1024 * 1024
/** References that lead to references. */
export const mostHops = 50
/** Values of schemas that are converted, over all tools. */
export const mostSchemaNodes = 2_000_000
/** Of one tool in one shape. What takes more is cut further down. */
export const mostToolNodes = 20_000
/** YAML takes a hundred times as long as JSON, so a larger document must come as JSON. */
export const longestYaml = 2 * 1024 * 1024
/** Lines, commas and opening brackets of YAML, which is read in one go. Ordinary documents have 35 for each 1,000 characters. */
export const mostYamlMarks = 100_000

/** Of an input, in a draft's answer. */
export const longestInputDescription = 300
/** Of an operation, in a draft's answer and in a tool. */
export const longestDescription = 4_000
export const longestCredential = 4_000
export const longestBaseUrl = 2_048
export const shortDescription = 40
/** Of the parameters of a tool, in characters: what a model is sent with every turn. */
export const largestSchema = 16 * 1024
