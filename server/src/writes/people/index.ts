// How people come in: invitations, mailed links, and the sessions that they open.
export { peopleDuties } from './duties.ts'
export { invite } from './invite.ts'
export { peopleLetters } from './letters.ts'
export { addressIn, sealAddress, sealForMail, signInToPrint } from './links.ts'
export { openSession } from './open-session.ts'
export { peopleRoutes } from './routes.ts'
export { askSignIn } from './sign-in.ts'
