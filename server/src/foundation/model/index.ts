export {
  type FinishReason,
  type Message,
  type Model,
  type ModelCall,
  ModelFailure,
  type ModelPart,
  type ModelRequest,
  type ModelUsage,
  type OfferedTool,
  type Picture,
} from './port.ts'
