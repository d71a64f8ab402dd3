export type {
  AnyoneAsking,
  Asking,
  Context,
  Customer,
  House,
  OperatorAsking,
  TenantAsking,
  Wiring,
} from './context.ts'
export { placeOf } from './places.ts'
