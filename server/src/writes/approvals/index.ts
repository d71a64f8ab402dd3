// The people of a tenant, its approval policy, and who may approve what.

export {
  type Approves,
  type Barred,
  type JudgedAction,
  mayCustomerConfirm,
  type RegisteredPerson,
  type WhyBarred,
} from './judge.ts'
export { mayApprove, mayReject, mayTestify, type Outlook, outlookFor, whoAsks, whoMayApprove } from './may-decide.ts'
export { type ApprovalParts, catalogWarningsOn, policyInForce, readPolicy, registerPolicy } from './policies.ts'
export {
  type Policy,
  type PolicyRule,
  readValue,
  ruleFor,
  sizeOf,
  type Write,
  type WriteValue,
} from './policy.ts'
export type { PersonRow } from './queries.ts'
export { approvalRoutes } from './routes.ts'
export { recordTried, type Tried } from './tried.ts'
export {
  findPerson,
  listUsers,
  peopleOfAddress,
  presentPerson,
  registerInvited,
  registerUsers,
  removePerson,
} from './users.ts'
