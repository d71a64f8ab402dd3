type Wires = { readonly webhookUrl: string | null; readonly endpointUrl: string | null }
type Destination = { readonly url: string; readonly source: 'events_webhook' | 'tool_endpoint' }

/** Where a tenant's events go now. The base address of an imported API never receives events. */
export function destinationOf({ webhookUrl, endpointUrl }: Wires): Destination | null {
  if (webhookUrl !== null) return { url: webhookUrl, source: 'events_webhook' }
  return endpointUrl === null ? null : { url: endpointUrl, source: 'tool_endpoint' }
}
