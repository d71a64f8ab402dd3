// MCP servers of a business, whose tools are a part of its catalog.
export { resealUpstreams } from './credential.ts'
export { openUpstreams, type Upstreams } from './open-upstreams.ts'
export { upstreamRoutes } from './routes.ts'
export { declaredUpstream } from './upstreams.ts'
