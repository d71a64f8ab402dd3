// The people of a tenant, its approval policy, and who may approve what.
export {
  type Approves,
  type Barred,
  type JudgedAction,
  mayCustomerConfirm,
  type RegisteredPerson,
} from './judge.ts'
export { mayApprove, mayReject } from './may-decide.ts'
export { policyInForce } from './policies.ts'
export {
  type Policy,
  type PolicyRule,
  readValue,
  ruleFor,
  type Write,
  type WriteValue,
} from './policy.ts'
export { approvalRoutes } from './routes.ts'
