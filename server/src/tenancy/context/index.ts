export {
  type Actor,
  type AnyoneAsking,
  type Asking,
  type Context,
  type Customer,
  DEFAULT_ROLE,
  type Decider,
  type House,
  numberOf,
  type OperatorAsking,
  personOfCredential,
  placeOf,
  type TenantAsking,
  userIdOf,
  type Wiring,
} from './context.ts'
export { openWayOut } from './way-out.ts'
