export { Client, errors } from 'undici'
