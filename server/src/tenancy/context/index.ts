export type {
  Actor,
  AnyoneAsking,
  Asking,
  Context,
  Customer,
  Decider,
  House,
  OperatorAsking,
  TenantAsking,
  TenantTerms,
  Wiring,
} from './context.ts'
export { DEFAULT_ROLE, numberOf, personOfCredential, userIdOf } from './context.ts'
export { placeOf } from './places.ts'
export { openWayOut } from './way-out.ts'
