/** What an operator corrects or waits for: the move has not begun, or was taken back. */
export class MoveStopped extends Error {}
