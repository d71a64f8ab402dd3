/** MCP servers of one workspace. */
export const MOST_UPSTREAMS = 20
/** Tools of one server, over as many pages. What it offers beyond them is not looked at. */
export const MOST_TOOLS = 500
export const MOST_PAGES = 20
/** One answer of a server that lists its tools. */
export const MOST_LIST_BYTES = 1024 * 1024
/** As many characters of what a server says about a tool are kept. */
export const LONGEST_DESCRIPTION = 4_000
export const LONGEST_CREDENTIAL = 4_000
/** A read goes by a look that is no older than this. A write is never sent without one. */
export const LOOK_IS_GOOD_MS = 60_000
/** So often a server is looked at that nobody calls. */
export const WATCH_EVERY_MINUTES = 15
