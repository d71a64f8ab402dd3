import type { JsonObject } from '../../foundation/json/index.ts'
import type { Tool } from '../catalog/index.ts'

/** What would be sent, without secrets. */
export type RequestPreview = { readonly tool: string; readonly arguments: JsonObject }

export const requestPreview = ({ name }: Tool, given: JsonObject): RequestPreview => ({ tool: name, arguments: given })
