// MCP servers of a business, whose tools are a part of its catalog.
export { openUpstreams, type Upstreams } from './open-upstreams.ts'
export { sealedCredentials } from './queries.ts'
export { upstreamRoutes } from './routes.ts'
export { declaredUpstream } from './upstreams.ts'
