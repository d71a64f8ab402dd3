/** MCP servers of one workspace. */
export const MOST_UPSTREAMS = 20
/** Tools of one server, over as many pages. What it offers beyond them is not looked at. */
export const MOST_TOOLS = 500
export const MOST_PAGES = 20
/** One answer of a server that lists its tools. */
export const MOST_LIST_BYTES = 1024 * 1024
/** All answers of one look together: what is made of them takes many times their bytes. */
export const MOST_LOOK = { bytes: 2 * 1024 * 1024, values: 50_000 } as const
/** How deep a list may be nested, and the answer of a call. */
export const DEEPEST_LIST = 128
export const DEEPEST_ANSWER = 1_000
export const MOST_ANSWER_VALUES = 500_000
/** One tool: it is compared and cleaned in one piece. */
export const LARGEST_TOOL = { maxDepth: DEEPEST_LIST, maxSize: 128 * 1024, maxValues: 10_000 } as const
/** Servers of one workspace that are looked at at the same time. */
export const MOST_LOOKS_AT_ONCE = 4
/** As many characters of what a server says about a tool are kept. */
export const LONGEST_DESCRIPTION = 4_000
export const LONGEST_CREDENTIAL = 4_000
/** A read goes by a look that is no older than this. A write is never sent without one. */
export const LOOK_IS_GOOD_MS = 60_000
/** So often a server is looked at that nobody calls. */
export const WATCH_EVERY_MINUTES = 15
