// How a stranger becomes a tenant, proves an address, and recovers access.
export { takeLinkAllowance } from './admission.ts'
export { askConfirmation, readConfirmation } from './confirmation.ts'
export { askConsoleLink, openConsoleByLink } from './console-link.ts'
export { signupDuties } from './duties.ts'
export { CONSOLE_LINK, type LetterWords, type LinkFacts, lasting, linkLetter, signupLetters } from './letters.ts'
export { type Addition, invalidLink, type LinkPage, sealVerifyLink, verifyLink } from './links.ts'
export { signupRoutes } from './routes.ts'
export { admitSignUp, createWorkspace, type SignupParts, signUp } from './sign-up.ts'
