import type { Claims } from './claims.js';
/** In this process alone, and gone with it: to try things out. A restart forgets what was performed. */
export declare function memoryClaims(): Claims;
