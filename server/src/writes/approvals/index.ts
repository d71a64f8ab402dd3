// The people of a tenant, its approval policy, and who may approve what.

export { catalogWarningsOn } from './catalog-warnings.ts'
export { type PersonToInvite, registerInvited } from './invited.ts'
export {
  type Approves,
  type Barred,
  type JudgedAction,
  mayCustomerConfirm,
  type RegisteredPerson,
  type WhyBarred,
} from './judge.ts'
export { mayApprove, mayReject, mayTestify, type Outlook, outlookFor, whoAsks, whoMayApprove } from './may-decide.ts'
export type { ApprovalParts } from './parts.ts'
export { policyInForce, readPolicy, registerPolicy } from './policies.ts'
export {
  type Policy,
  type PolicyRule,
  readValue,
  ruleFor,
  sizeOf,
  type Write,
  type WriteValue,
} from './policy.ts'
export type { PolicyTool, PolicyWarning } from './policy-warnings.ts'
export type { PersonRow } from './queries.ts'
export { approvalRoutes } from './routes.ts'
export { recordTried, type Tried } from './tried.ts'
export {
  findPerson,
  listUsers,
  peopleOfAddress,
  presentPerson,
  registerUsers,
  removePerson,
} from './users.ts'
