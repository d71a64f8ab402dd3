export type {
  Actor,
  AnyoneAsking,
  Asking,
  Context,
  Customer,
  House,
  OperatorAsking,
  TenantAsking,
  TenantTerms,
  Wiring,
} from './context.ts'
export { DEFAULT_ROLE, numberOf, userIdOf } from './context.ts'
export { placeOf } from './places.ts'
export { openWayOut } from './way-out.ts'
