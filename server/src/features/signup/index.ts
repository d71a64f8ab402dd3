// How a stranger becomes a tenant, proves an address, and recovers access.
export { signupDuties } from './duties.ts'
export { signupLetters } from './letters.ts'
export { sealVerifyLink } from './links.ts'
export { signupRoutes } from './routes.ts'
export type { SignupParts } from './sign-up.ts'
