// The people of a tenant, its approval policy, and who may approve what.
export { approverOf, type LoadedApproval, loadApproval } from './approval.ts'
export {
  type Approver,
  type Approves,
  type GivenApproval,
  type JudgedAction,
  judgeApprover,
  judgeRejecter,
  mayCustomerConfirm,
  type People,
  type Refused,
  type RegisteredPerson,
} from './judge.ts'
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
