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
/** YAML is read in a thread of its own. Of 30 real documents the longest has 3.1 million characters (Asana). */
export const longestYaml = 16 * 1024 * 1024
/** Lines, commas and opening brackets of YAML. Asana has 93,000, and ordinary documents 30 for each 1,000 characters. */
export const mostYamlMarks = 500_000
/** Hand-written documents have a few dozen. What they stand for is counted, too. */
export const mostYamlAliases = 10_000
/** As many as JSON may hold. */
export const mostYamlValues = 500_000
/** What takes longest of this length takes 2 s on a machine with nothing else to do. */
export const longestYamlMs = 60_000
/** Of the thread's heap. The 500,000 marks that take most fit into 256. */
export const mostYamlMegabytes = 512

/** Of an input, in a draft's answer. */
export const longestInputDescription = 300
/** Of an operation, in a draft's answer and in a tool. */
export const longestDescription = 4_000
export const longestCredential = 4_000
export const longestBaseUrl = 2_048
export const shortDescription = 40
/** Of the parameters of a tool, in characters: what a model is sent with every turn. */
export const largestSchema = 16 * 1024
