// MCP servers of a business, whose tools are a part of its catalog.
export { upstreamTransport } from './call.ts'
export { resealUpstreams } from './credential.ts'
export { upstreamDuties } from './duties.ts'
export { openUpstreams, type Upstreams } from './reaching.ts'
export { upstreamRoutes } from './routes.ts'
export { declaredUpstream } from './upstreams.ts'
