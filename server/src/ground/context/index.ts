export type { AnyoneAsking, Asking, Context, House, OperatorAsking, TenantAsking } from './context.ts'
