// What a workspace does with its own account.
export { deleteAccount } from './account.ts'
export { issueAccountKey, listAccountKeys, revokeAccountKey, rotateAccountKey } from './keys.ts'
export { accountRoutes } from './routes.ts'
