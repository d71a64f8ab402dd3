/** What a button says of itself: its message, which names the write, and the hash of what the message showed. */
export const buttonValue = (postId: string, payloadHash: string): string => `${postId} ${payloadHash}`

const VALUE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) ([0-9a-f]{64})$/

export function readButton(value: string): { readonly postId: string; readonly payloadHash: string } | null {
  const [, postId, payloadHash] = VALUE.exec(value) ?? []
  return postId === undefined || payloadHash === undefined ? null : { postId, payloadHash }
}
