/** How large a catalog may be. A larger one is refused as a whole, before anything else is checked. */
export const mostTools = 5_000
/** As compact JSON, in characters. */
export const mostCatalogCharacters = 8 * 1024 * 1024
export const deepestCatalog = 100
/** Everything in its lists and objects: what it weighs in memory. As many are about 64 MB. */
export const mostCatalogValues = 400_000
/** One tool, with everything in its lists and objects. The largest of 22,699 schemas in use has 4,036. */
export const mostToolValues = 20_000
/** Of an `http` binding. */
export const longestHttpPath = 2_048

/** Of one tool's `parameters`. The model gets them with every turn, so a warning comes long before the limit. */
export const mostSchemaCharacters = 256 * 1024
export const largeSchemaCharacters = 16 * 1024
export const shortDescription = 40

export const longestDomain = 100
export const mostPickedPaths = 100
export const mostResultItems = 10_000
/** Of a dot path in a check or a pick. */
export const longestPath = 500
export const deepestPath = 32
