// Made by `npm run generate` from the routes of the service. Change those, not this file.

/** The shapes of the reference, by their names there. */
export type Schemas = {
  "Account": {
    /** The tenant, a positive integer. */
    "tenantId": number
    "name": string
    "plan": "free" | "bring_your_ai" | "use_tether_ai" | "Free" | "Starter" | "Growth" | "Enterprise"
    "selfServe": boolean
    "emailConfirmed": boolean
    "customerTokenKeyIssued": boolean
    /** ISO 8601, UTC. */
    "createdAt": string
  }
  "AccountEvents": {
    "events": ({
      "type": "key.issued" | "key.rotated" | "key.revoked" | "account.compromise" | "signing_secret.rotated" | "customer_token_key.issued" | "intent.changed" | "recovery.requested" | "recovery.redeemed"
      /** ISO 8601, UTC. */
      "at": string
      "keyPrefix": string | null
      "callerHash": string | null
      "detail": string | null
    })[]
  }
  "Action": {
    "actionId": string
    "tool": string
    "commandType": string
    "title": string
    "summary": string
    "rationale": string | null
    "arguments": Record<string, unknown>
    /** SHA-256 of what would run. Send it with the confirm, so that nothing else can run. */
    "payloadHash": string
    "risk": "low" | "elevated" | "high"
    "status": "pending" | "executing" | "executed" | "failed" | "rejected" | "expired" | "indeterminate" | "precondition_failed"
    "scopeId": number | null
    "subject": string | null
    "sessionId": string | null
    "requestedByUserId": number
    /** The action that this one was amended from. */
    "replaces": string | null
    /** The action that this one was amended to. */
    "replacedBy": string | null
    /** How its last execution ended, where it did not succeed. */
    "errorCode": Schemas["ConfirmErrorCode"] | null
    "errorMessage": string | null
    /** ISO 8601, UTC. */
    "createdAt": string
    /** ISO 8601, UTC. */
    "expiresAt": string
    "verification": Schemas["Verification"] | null
  }
  "ActionChange": {
    /** `destination`: it would go to another address than the one it was staged for. `hash_version`: an earlier version of the service staged it, whose hash did not cover the address. `request`: its tool would send another request. */
    "what": "destination" | "hash_version" | "request"
    /** The address that it was staged for, without secrets. */
    "from": string | null
    /** The address that it would go to now, without secrets. */
    "to": string | null
  }
  "ActionDetail": {
    "actionId": string
    "tool": string
    "commandType": string
    "title": string
    "summary": string
    "rationale": string | null
    "arguments": Record<string, unknown>
    /** SHA-256 of what would run. Send it with the confirm, so that nothing else can run. */
    "payloadHash": string
    "risk": "low" | "elevated" | "high"
    "status": "pending" | "executing" | "executed" | "failed" | "rejected" | "expired" | "indeterminate" | "precondition_failed"
    "scopeId": number | null
    "subject": string | null
    "sessionId": string | null
    "requestedByUserId": number
    /** The action that this one was amended from. */
    "replaces": string | null
    /** The action that this one was amended to. */
    "replacedBy": string | null
    /** How its last execution ended, where it did not succeed. */
    "errorCode": Schemas["ConfirmErrorCode"] | null
    "errorMessage": string | null
    /** ISO 8601, UTC. */
    "createdAt": string
    /** ISO 8601, UTC. */
    "expiresAt": string
    "verification": Schemas["Verification"] | null
    "approvals": ({
      /** Null where nobody, or nobody who is registered now, gave it. */
      "user": {
        "id": number
        "userId": number | null
        "displayName": string
        "email": string | null
      } | null
      /** ISO 8601, UTC. */
      "at": string
    })[]
    "approversRequired": number
    /** Whether a confirm of whoever asks would count now. Null where nobody is named. */
    "mayDecide": boolean | null
    /** The address that a confirm would send it to, without secrets. Null where nothing could be sent. */
    "destination": string | null
    /** What has changed since it was staged, so that nobody can approve it. Amend it, or stage it again. */
    "changed": Schemas["ActionChange"] | null
    /** What a confirm would send, without secrets. */
    "requestPreview": {
      "tool": string
      "arguments": Record<string, unknown>
    } | {
      "method": string
      "url": string
      "headers": (string)[]
      "body": unknown
    } | null
  }
  "ActionList": {
    "actions": (Schemas["Action"])[]
    "count": number
    "nextBefore": string | null
  }
  "AgentRequest": {
    "goal": string
    "sessionId"?: string | null | undefined
    "session_id"?: string | null | undefined
    "enableWriteActions"?: boolean | undefined
    /** The most rounds that may call tools, up to the plan’s number. */
    "maxRounds"?: number | undefined
    "language"?: string | undefined
  }
  "AmendAnswer": {
    "status": "preview"
    "toolName": string
    "actionId": string
    /** `tac_…`, shown once. Null for a signed-in person, who needs none. */
    "confirmationToken": string | null
    /** ISO 8601, UTC. */
    "expiresAt": string
    "summary": string
    /** The same as JSON text, kept for older clients. */
    "resultJson": string
    "replaces": string
  }
  "AmendRequest": {
    "arguments": Record<string, unknown>
    /** Why; it stands in the trail as `amended: …`. */
    "reason"?: string | undefined
  }
  "ApiChange": {
    /** An empty text clears it. */
    "credential"?: Schemas["ApiCredential"] | "" | undefined
    "userToken"?: Schemas["UserTokenMode"] | undefined
  } & Record<string, unknown>
  /** Kept sealed, and never shown again. */
  "ApiCredential": string | {
    "scheme": "bearer"
    "token": string
  } | {
    "scheme": "header"
    "name": string
    "value": string
  } | {
    "scheme": "query"
    "name": string
    "value": string
  } | {
    "scheme": "basic"
    "username": string
    "password": string
  } | {
    "scheme": "oauth2_client_credentials"
    /** Where tokens are issued: absolute HTTPS, at a public address. */
    "tokenUrl": string
    "clientId": string
    "clientSecret": string
    /** Scopes, with spaces between them. */
    "scope"?: string | undefined
    /** For issuers that ask for one. */
    "audience"?: string | undefined
    /** Where the client id and secret are sent: the Authorization header, unless set. */
    "clientAuthentication"?: "basic" | "body" | undefined
  }
  "ApiShown": {
    "baseUrl": string
    "userToken": Schemas["UserTokenMode"]
    "credentialStored": boolean
  }
  "ApiUnchanged": {
    "error": string
  }
  "AuditArchived": {
    /** This event and all before it are in files of whoever runs the service. */
    "lastId": number
    /** What is left of the trail follows this hash. */
    "lastHash": string
    /** ISO 8601, UTC. */
    "lastAt": string
  }
  "AuditEvent": {
    /** Per tenant, without gaps, in the order of what happened. */
    "id": number
    /** ISO 8601, UTC. */
    "occurredAt": string
    "actionId": string | null
    "tool": string | null
    "event": "proposed" | "approved" | "rejected" | "expired" | "executed" | "failed" | "replayed" | "superseded" | "prohibited" | "precondition_failed" | "precondition_error" | "provider_refused" | "verified" | "unverified"
    /** 0 where no person acted, or somebody without a userId; `user` says who. */
    "userId": number
    /** The id of the registered person who acted, which no one else ever gets. Null for no one, for a userId that was only stated, and in events from before ids were recorded. */
    "personId": number | null
    /** The person as registered now; null for a rule, the system, or an id that nobody is registered with. */
    "user": {
      "id": number
      "userId": number | null
      "displayName": string
      "email": string | null
    } | null
    /** The route that the event came through. */
    "source": string
    /** SHA-256 of what the action would run with. Never the payload. */
    "payloadHash": string | null
    /** The verified customer whom it is about. */
    "subject": string | null
    "reason": string | null
    /** Of an amended action: the one that took its place, or whose place it took. */
    "relatedActionId": string | null
  }
  "AuditEvents": {
    "events": (Schemas["AuditEvent"])[]
    "count": number
    /** What to send as `after` for what follows, or null. */
    "nextAfter": number | null
    /** Only where what was asked for reaches into months that are archived: this page does not show them. */
    "archived"?: Schemas["AuditArchived"] | undefined
  }
  "AuditVerification": {
    "ok": true
    /** How many were checked. */
    "events": number
    "firstId": number | null
    "lastId": number | null
    /** Keep it with `lastId`: every later export must still contain it. */
    "lastHash": string | null
    /** Only where months are archived: what was checked follows the last of them. The files are checked with `npm run audit:verify`. */
    "archived"?: Schemas["AuditArchived"] | undefined
  } | {
    "ok": false
    /** The first event that is not as it was written. */
    "at": number
    "reason": "missing" | "hash_mismatch" | "out_of_order" | "head_mismatch"
  }
  /** One part of an answer. */
  "Block": {
    "type": "text"
    "markdown": string
    "preview"?: true | undefined
  } | {
    "type": "kpi"
    "label": string
    "value": string | number
    "unit"?: string | undefined
    "delta"?: string | number | undefined
    "trend"?: "up" | "down" | "flat" | undefined
    "preview"?: true | undefined
  } | {
    "type": "table"
    "title"?: string | undefined
    "columns": ({
      "key": string
      "label": string
      "align"?: "left" | "right" | "center" | undefined
    })[]
    "rows": (Record<string, string | number | boolean | null>)[]
    "preview"?: true | undefined
  } | {
    "type": "ranked_list"
    "title"?: string | undefined
    "items": ({
      "label": string
      "value"?: string | number | undefined
      "detail"?: string | undefined
      "url"?: string | undefined
    })[]
    "preview"?: true | undefined
  } | {
    "type": "stacked_bar"
    "title"?: string | undefined
    "categories": (string)[]
    "series": ({
      "name": string
      "values": (number)[]
    })[]
    "preview"?: true | undefined
  } | {
    "type": "quick_replies"
    "replies": ({
      "label": string
      "prompt": string
    })[]
    "preview"?: true | undefined
  } | {
    "type": "footnote"
    "text": string
    "url"?: string | undefined
    "preview"?: true | undefined
  }
  "Brand": {
    "color": string | null
    "logo": string | null
  }
  "BrandRequest": {
    "color"?: string | null | undefined
    "logo"?: string | null | undefined
  }
  "Business": {
    /** The tenant, a positive integer. */
    "tenantId": number
    "name": string
    "plan": "free" | "bring_your_ai" | "use_tether_ai" | "Free" | "Starter" | "Growth" | "Enterprise"
    /** ISO 8601, UTC. */
    "createdAt": string
    "liveKeys": number
    "spend": {
      "dailyUsd": number
      "monthlyUsd": number
    }
  }
  "BusinessList": {
    "tenants": (Schemas["Business"])[]
    "count": number
    /** The value of `after` for the next page, or null. */
    "nextAfter": number | null
  }
  "BusinessRequest": {
    /** The business’s name, 2 to 120 characters. */
    "name": string
    "plan"?: "free" | "bring_your_ai" | "use_tether_ai" | "Free" | "Starter" | "Growth" | "Enterprise" | undefined
    "email"?: string | undefined
    /** What to copy from your own workspace. The events webhook alone, unless set. */
    "configuration"?: (Schemas["ConfigurationPart"])[] | undefined
  }
  "CallRecord": {
    "callId": number
    /** ISO 8601, UTC. */
    "at": string
    /** As the endpoint received it. */
    "requestId": string
    "tool": string
    "domain": string
    /** Where it came from, such as `web` or `mobile`. */
    "surface": string
    /** How it ended; docs/receiving-calls.md lists them. */
    "status": string
    "httpStatus": number | null
    "attempts": number
    "durationMs": number
  }
  "CallRecords": {
    "calls": (Schemas["CallRecord"])[]
    "count": number
    /** What to send as `before` for what is older, or null. */
    "nextBefore": number | null
  }
  "Catalog": {
    /** 0 before the first registration. */
    "version": number
    /** The tools as they were registered. */
    "tools": (unknown)[]
    "toolCount": number
    "writeToolCount": number
    "registeredAt": string | null
    /** The last import of an OpenAPI document, or null. */
    "import": Schemas["ImportShown"] | null
  }
  "CatalogError": {
    /** Its name, or its place in the list. Null for the catalog as a whole. */
    "tool": string | null
    "member": string | null
    "message": string
  }
  "CatalogInvalid": {
    "valid": false
    /** Everything that is wrong, in one message. */
    "error": string
    /** The same, fault by fault: at most 500, then a count. */
    "errors": (Schemas["CatalogError"])[]
  }
  "CatalogRefused": {
    "registered": false
    /** Everything that is wrong, in one message. */
    "error": string
    /** The same, fault by fault: at most 500, then a count. */
    "errors": (Schemas["CatalogError"])[]
  }
  "CatalogRegistered": {
    "registered": true
    "version": number
    "toolCount": number
    "writeToolCount": number
    "warnings": Schemas["PolicyWarnings"]
  }
  "CatalogValid": {
    "valid": true
    "toolCount": number
    "writeToolCount": number
    "tools": ({
      "name": string
      "domain": string
      "isWrite": boolean
      "risk": "low" | "elevated" | "high"
      "requiresScope": boolean
      "surfaces": {
        "chat": boolean
        "agent": boolean
      }
    })[]
    "warnings": ({
      "tool": string
      "parameter": string | null
      "code": "identifier_parameter" | "short_description" | "large_schema" | "undeclared_write" | "misspelled_member" | "more"
      "message": string
    })[]
  }
  "ChannelRemoved": {
    /** False where none was set. */
    "deleted": boolean
  }
  "ChannelTested": {
    /** True if the other side took the message. */
    "sent": boolean
    /** Why nothing gets through at present; null where all is well. */
    "fault": {
      /** The other side’s own word, or `unreachable`. */
      "code": string
      "message": string
      /** ISO 8601, UTC. */
      "at": string
    } | null
  }
  "ChatAnswer": {
    "session_id": string | null
    /** The conversation, or null if none is kept. */
    "sessionId": string | null
    "request_id": string
    "requestId": string
    "blocks": (Schemas["Block"])[]
    "meta": Schemas["ChatMeta"]
  }
  "ChatDecision": {
    "actionId": string
    "status": "executed" | "failed" | "rejected" | "expired" | "indeterminate" | "precondition_failed"
    /** Why. Null for a page or an agent, unless whoever declined it said `tellVisitor`. */
    "reason": string | null
    /** The same in words for the visitor, in the language of the turn. */
    "text": string
  }
  /** The `data:` of one frame. Exactly one `complete` or `error` ends a stream. */
  "ChatFrame": {
    "type": "start"
    "requestId": string
    "sessionId": string | null
  } | {
    "type": "status"
    "stage": "retrieving" | "thinking" | "calling"
    "tool"?: string | undefined
  } | {
    "type": "delta"
    "text": string
  } | {
    "type": "tool"
    "tool": string
    "status": "ok" | "staged" | "unknown_tool" | "not_configured" | "invalid_endpoint" | "endpoint_error" | "timeout" | "unreachable" | "response_too_large" | "server_error" | "in_flight" | "refused" | "indeterminate" | "failed" | "customer_required" | "user_token_required" | "precondition_failed" | "precondition_error"
    "durationMs": number
  } | {
    "type": "proposal"
    "proposal": Schemas["Proposal"]
  } | {
    "type": "block"
    "index": number
    "block": Schemas["Block"]
  } | {
    "type": "complete"
    "session_id": string | null
    /** The conversation, or null if none is kept. */
    "sessionId": string | null
    "request_id": string
    "requestId": string
    "blocks": (Schemas["Block"])[]
    "meta": Schemas["ChatMeta"]
  } | {
    "type": "error"
    "code": "MODEL_UNAVAILABLE" | "RATE_LIMITED" | "ORG_DAILY_BUDGET_EXCEEDED" | "ORG_MONTHLY_BUDGET_EXCEEDED" | "GLOBAL_DAILY_BUDGET_EXCEEDED" | "GLOBAL_MONTHLY_BUDGET_EXCEEDED" | "CANCELED" | "TURN_TIMEOUT" | "TURN_LOST" | "DATABASE_UNAVAILABLE" | "INTERNAL_ERROR"
    "message": string
    "retryAfterSeconds"?: number | undefined
    "errorId"?: string | undefined
  }
  "ChatMeta": {
    "preview": boolean
    "previewSources": (string)[]
    "sources": (Schemas["Source"])[]
    "resultPath": "ok" | "out_of_scope" | "budget_exceeded" | "error" | "canceled"
    "toolCalls": ({
      "tool": string
      "status": "ok" | "staged" | "unknown_tool" | "not_configured" | "invalid_endpoint" | "endpoint_error" | "timeout" | "unreachable" | "response_too_large" | "server_error" | "in_flight" | "refused" | "indeterminate" | "failed" | "customer_required" | "user_token_required" | "precondition_failed" | "precondition_error"
      "durationMs": number
    })[]
    "proposals": (Schemas["Proposal"])[]
    /** What became of the earlier proposals of this conversation that no longer wait. */
    "decisions": (Schemas["ChatDecision"])[]
    "handoff": {
      "trigger": "assistant" | "visitor"
      "reason": string
      "summary": string
    } | null
    "usage": {
      "inputTokens": number
      "outputTokens": number
      "model": string
    }
    "language": "ka" | "en"
    "capabilityMode": "Standard" | "Deep"
    /** True if a person has taken the conversation over: no model was asked, and the person was told. */
    "takenOver": boolean
  }
  "ChatRequest": {
    "prompt": string
    /** The conversation to continue. Without it, a new one begins. */
    "sessionId"?: string | null | undefined
    /** Another name for `sessionId`. */
    "session_id"?: string | null | undefined
    /** `Deep` also offers the tools for deep analysis, on plans that allow it. */
    "capabilityMode"?: "Standard" | "Deep" | undefined
    /** Also offers writes that are not for chat. Only secret and agent keys may set it. */
    "enableWriteActions"?: boolean | undefined
    /** `ka` or `en`. The default is the language of the prompt. */
    "language"?: string | undefined
    "image"?: {
      /** The picture itself, in base64. */
      "data"?: string | undefined
      /** Or the https address of the picture. */
      "url"?: string | undefined
      "mimeType"?: string | undefined
    } | undefined
  }
  "ChatStreamRequest": {
    "prompt"?: string | undefined
    /** The conversation to continue. Without it, a new one begins. */
    "sessionId"?: string | null | undefined
    /** Another name for `sessionId`. */
    "session_id"?: string | null | undefined
    /** `Deep` also offers the tools for deep analysis, on plans that allow it. */
    "capabilityMode"?: "Standard" | "Deep" | undefined
    /** Also offers writes that are not for chat. Only secret and agent keys may set it. */
    "enableWriteActions"?: boolean | undefined
    /** `ka` or `en`. The default is the language of the prompt. */
    "language"?: string | undefined
    "image"?: {
      /** The picture itself, in base64. */
      "data"?: string | undefined
      /** Or the https address of the picture. */
      "url"?: string | undefined
      "mimeType"?: string | undefined
    } | undefined
    /** With `protocol=ui-message`, instead of a prompt: what `useChat` sends. The last one asks. */
    "messages"?: (Schemas["UiMessage"])[] | undefined
    /** The turn continues if its reader leaves, and can be read again. */
    "resume"?: boolean | undefined
    /** Instead of a prompt: reads that turn again, from after the frame in `Last-Event-ID`. */
    "requestId"?: string | undefined
    /** With `requestId`: stops that turn. */
    "stop"?: boolean | undefined
    /** With `sessionId`, instead of a prompt: tells what becomes of the conversation’s proposals. The frames are WatchFrames. */
    "watch"?: boolean | undefined
  }
  "ClaimAccepted": {
    "accepted": true
    "email": string
    /** ISO 8601, UTC. */
    "expiresAt": string
  }
  "ClaimRequest": {
    "email": string
    /** The workspace’s name, 2 to 120 characters. */
    "name": string
    /** `ka` makes the mail Georgian, anything else English. */
    "language"?: string | undefined
  }
  "Compromise": {
    "apiKey": string
    /** The first 12 characters of a key. Not secret. */
    "keyPrefix": string
    "revokedKeys": number
    "signingSecret": string | null
    "customerTokenKey": string | null
  }
  "ConfigurationPart": "catalog" | "domain_pack" | "events_webhook" | "origins" | "policy"
  "ConfigurationRequest": {
    "parts": (Schemas["ConfigurationPart"])[]
    /** The businesses that are meant. All of them, unless set. */
    "tenantIds"?: (number)[] | undefined
  }
  "ConfigurationResults": {
    "results": (Schemas["PushResult"])[]
  }
  "ConfirmAnswer": {
    "status": Schemas["ConfirmStatus"]
    "actionId": string
    "commandType": string | null
    /** What the endpoint answered, unchanged. */
    "appliedChanges": unknown
    "errorCode": Schemas["ConfirmErrorCode"] | null
    "errorMessage": string | null
    "verification": Schemas["Verification"] | null
    "approversRequired"?: number | undefined
    "approversReceived"?: number | undefined
  }
  "Confirmation": {
    "required": boolean
    "confirmed": boolean
    "confirmedAt": string | null
    "email": string | null
    /** How many mails go out once the address is confirmed. */
    "heldMail": number
    /** What waits until the address is confirmed. */
    "waits": ("public_origin" | "third_party_mail" | "paid_plan" | "provider_grant" | "child_tenant")[]
    "resend": {
      "method": "POST"
      "path": string
    }
  }
  "ConfirmationRequest": {
    /** `ka` makes the mail Georgian, anything else English. */
    "language"?: string | undefined
    /** A different address from the one on file. It must be confirmed again. */
    "email"?: string | undefined
  }
  "ConfirmationSent": {
    "confirmed": boolean
    "sent": boolean
    "email": string
    "heldMail": number
    /** What waits until the address is confirmed. */
    "waits": ("public_origin" | "third_party_mail" | "paid_plan" | "provider_grant" | "child_tenant")[]
    "resend": {
      "method": "POST"
      "path": string
    }
  }
  "Confirmed": {
    "confirmed": true
    /** The tenant, a positive integer. */
    "tenantId": number
    "name": string
    "email": string
  }
  "ConfirmErrorCode": "action_rejected" | "awaiting_approvers" | "PENDING_ACTION_NOT_FOUND" | "action_expired" | "approver_unknown" | "approver_forbidden" | "action_prohibited" | "EXECUTION_INDETERMINATE" | "precondition_failed" | "precondition_error" | "provider_refused" | "FORBIDDEN" | "AI_ACTION_REQUIRES_CONFIRMATION" | "ACTION_ALREADY_IN_PROGRESS" | "ACTION_NOT_INDETERMINATE" | "IDEMPOTENCY_KEY_REUSED" | "CONFLICT" | "HANDLER_NOT_REGISTERED" | "EXECUTION_FAILED_RETRYABLE" | "EXECUTION_ATTEMPTS_EXHAUSTED" | "EXECUTION_FAILED" | "VALIDATION_ERROR" | "RESOURCE_NOT_FOUND" | "user_token_required"
  "ConfirmRequest": {
    "acknowledgeHighRisk"?: boolean | undefined
    "idempotencyKey"?: string | undefined
    /** The hash of what the approver saw; any other is refused. */
    "payloadHash"?: string | undefined
  }
  "ConfirmStatus": "Executed" | "Replayed" | "Rejected" | "AwaitingApprovers" | "NotFound" | "Expired" | "ApproverUnknown" | "ApprovalForbidden" | "Prohibited" | "Indeterminate" | "PreconditionFailed" | "PreconditionError" | "ProviderRefused" | "GuardForbidden" | "GuardRejected" | "Conflict" | "HandlerMissing" | "FailedRetryable" | "FailedTerminal"
  "Conversation": {
    "sessionId": string
    /** ISO 8601, UTC. */
    "startedAt": string
    /** ISO 8601, UTC. */
    "lastAt": string
    /** The verified customer, or null. */
    "customerId": string | null
    /** True once a turn, or the check of a write, called for a person. */
    "handedOff": boolean
    /** The latest rating in it. */
    "rating": "up" | "down" | null
    /** That of its latest turn. */
    "language": "ka" | "en" | null
    /** How often the visitor spoke. */
    "turns": number
  }
  "ConversationList": {
    "conversations": (Schemas["Conversation"])[]
    "count": number
    /** The `before` of the next page, or null after the last. */
    "nextBefore": string | null
  }
  "CustomerErased": {
    "deleted": true
    "customerId": string
    "sessions": number
  }
  "CustomerTokenKey": {
    /** The HMAC key, `tck_…`, which is shown once. */
    "customerTokenKey": string
    /** The tenant, a positive integer. */
    "tenantId": number
    "algorithm": "HS256"
    "header": "X-Service-Customer-Token"
    "maxLifetimeSeconds": 3600
  }
  /** One for each decision, in their order, as its own route would answer. */
  "DecideAnswer": {
    "results": (Schemas["ConfirmAnswer"] | Schemas["Error"])[]
  }
  "DecideRequest": {
    "decisions": ({
      "actionId": string
      "decision": "confirm" | "reject"
      "reason"?: string | undefined
      /** Also tells the reason to the visitor whose conversation proposed the write. Otherwise it is for your staff alone. */
      "tellVisitor"?: boolean | undefined
      "acknowledgeHighRisk"?: boolean | undefined
      "payloadHash"?: string | undefined
    })[]
  }
  "Deletion": {
    "deleted": true
    /** The tenant, a positive integer. */
    "tenantId": number
  }
  "Deliveries": {
    "deliveries": (Schemas["Delivery"])[]
    "count": number
    /** The value of `before` for the next page, or null. */
    "nextBefore": number | null
  }
  "Delivery": {
    "event": string
    "actionId": string | null
    "sessionId": string | null
    /** The address; null if there was nowhere to send it. */
    "url": string | null
    "destination": "events_webhook" | "tool_endpoint" | "mail" | null
    /** True if the receiver answered 2xx. */
    "delivered": boolean
    "statusCode": number | null
    /** How it failed, or null: `the receiver answered <status>`, `timeout: …`, `unreachable: …`, `invalid_endpoint: …`, `no_destination: …`. */
    "error": string | null
    "durationMs": number
    /** ISO 8601, UTC. */
    "attemptedAt": string
    /** The `request_id` of the event, which is the same for every attempt. */
    "eventId": string
    /** From 1. */
    "attempt": number
    /** When the next attempt is due, or null if this was the last one. */
    "retryAt": string | null
  }
  "DomainPack": {
    /** Counts every change; 0 before the first. */
    "version": number
    "lexicon": Schemas["Lexicon"]
    "updatedAt": string | null
  }
  "DomainPackRequest": {
    /** Replaces the pack entirely. `{}` clears it. */
    "lexicon": Schemas["Lexicon"]
  }
  "DomainSuggestion": {
    "id": string
    "status": "pending" | "accepted" | "dismissed" | "superseded"
    "lexicon": Schemas["Lexicon"]
    "source": Schemas["RepositorySource"] | null
    "note": string | null
    /** ISO 8601, UTC. */
    "createdAt": string
    /** When it was accepted, dismissed or superseded. */
    "decidedAt": string | null
  }
  "DomainSuggestionAcceptance": {
    /** `merge`, unless set: the words are added to the pack. `replace`: they take its place. */
    "mode"?: "merge" | "replace" | undefined
  }
  "DomainSuggestionAccepted": {
    "suggestion": Schemas["DomainSuggestion"]
    "domainPack": Schemas["DomainPack"]
  }
  "DomainSuggestionDismissed": {
    "suggestion": Schemas["DomainSuggestion"]
  }
  "DomainSuggestionList": {
    "suggestions": (Schemas["DomainSuggestion"])[]
    "count": number
    /** The `before` of the next page. Null after the last. */
    "nextBefore": string | null
  }
  "DomainSuggestionRequest": {
    "lexicon": Schemas["Lexicon"]
    /** Required of a CI key. */
    "source"?: Schemas["RepositorySource"] | undefined
    /** For the person who decides. */
    "note"?: string | undefined
  }
  "EmbedInstructions": {
    "email": string
    "status": "queued" | "held" | "not_sent"
    "reason"?: "third_party_mail" | undefined
    "message": string
  }
  "EmbedInstructionsRequest": {
    "email": string
    "language"?: string | undefined
    "greeting"?: string | undefined
  }
  "EmbedRequest": {
    /** `ka` or `en`; `English` means `en`. */
    "language"?: string | undefined
    /** One line, at most 200 characters. */
    "greeting"?: string | undefined
  }
  "EmbedSnippet": {
    "key": string
    "prefix": string
    "kind": "publishable"
    "issued": boolean
    "revokedPrefix": string | null
    "endpoint": string
    "scriptUrl": string
    "snippet": string
    "origins": (string)[]
    "held": (string)[]
  }
  "Endpoint": {
    "configured": boolean
    "url": string | null
    "signingSecretIssued": boolean
  }
  "EndpointRequest": {
    /** Absolute HTTPS; null or an empty text clears it. */
    "url": string | null
  }
  "EndpointTest": {
    /** The endpoint answered 2xx with JSON or an empty body. */
    "ok": boolean
    /** How a call of a tool would have ended with this answer. */
    "status": "ok" | "staged" | "unknown_tool" | "not_configured" | "invalid_endpoint" | "endpoint_error" | "timeout" | "unreachable" | "response_too_large" | "server_error" | "in_flight" | "refused" | "indeterminate" | "failed" | "customer_required" | "user_token_required" | "precondition_failed" | "precondition_error"
    /** What happened, and what to do next. */
    "message": string
    /** `accepted` after 2xx, `refused` after 401 or 403; any other answer does not tell. */
    "signature": "accepted" | "refused" | "unknown"
    /** Why the signature may have failed, likeliest first. */
    "signatureHints": (string)[]
    /** What was sent: the signature headers, and the exact body that they cover. */
    "request": {
      "method": "POST"
      "url": string
      "requestId": string
      "headers": Record<string, string>
      "body": string
    } | null
    /** What came back, in full. */
    "answer": {
      "status": number
      "headers": Record<string, string>
      "body": string
    } | null
    "durationMs": number
  }
  /** What went wrong and what to do next. */
  "Error": {
    "error": {
      "code": string
      "message": string
      "reason"?: string | undefined
      "resend"?: {
        "method": string
        "path": string
      } | undefined
      "errorId"?: string | undefined
    }
  }
  "EventsWebhook": {
    "configured": boolean
    "url": string | null
    /** The address to which events go now. */
    "effectiveUrl": string | null
    "effectiveSource": "events_webhook" | "tool_endpoint" | null
    "signingSecretIssued": boolean
    /** The newest attempt that was delivered. */
    "lastDelivery": Schemas["Delivery"] | null
    "lastFailure": Schemas["Delivery"] | null
  }
  "EventsWebhookRequest": {
    /** Absolute HTTPS; null or an empty text clears it. */
    "url": string | null
  }
  "FeedbackList": {
    "feedback": (Schemas["FeedbackRecord"])[]
    "count": number
  }
  "FeedbackRecord": {
    "sessionId": string
    "requestId": string
    "rating": "up" | "down"
    "comment": string | null
    "customerId": string | null
    /** ISO 8601, UTC. */
    "createdAt": string
    /** ISO 8601, UTC. */
    "updatedAt": string
  }
  "FeedbackRecorded": {
    "recorded": true
    "rating": "up" | "down"
    "replaced": boolean
  }
  "FeedbackRequest": {
    "sessionId": string
    "requestId": string
    "rating": "up" | "down"
    "comment"?: string | null | undefined
  }
  "Health": {
    "status": "ok"
  }
  /** docs/import.md says what each member does. */
  "ImportDeclaration": {
    /** Required, unless the operation is skipped. Never inferred. */
    "is_write"?: boolean | undefined
    /** True leaves the operation out. */
    "skip"?: boolean | undefined
    "risk"?: "low" | "elevated" | "high" | undefined
    /** Another name for the tool. */
    "name"?: string | undefined
    "description"?: string | undefined
    "domain"?: string | undefined
    "requires_customer"?: boolean | undefined
    /** What people call it, as a tool’s `title`. */
    "title"?: unknown | undefined
    /** The same by language, as a tool’s `labels`. */
    "labels"?: unknown | undefined
    /** By input. */
    "parameters"?: Record<string, {
      "description"?: string | undefined
      "required"?: boolean | undefined
      "omit"?: boolean | undefined
    } & Record<string, unknown>> | undefined
    "precondition"?: unknown | undefined
    "verify"?: unknown | undefined
    /** A status from 400 to 599 to `refused` or `indeterminate`. */
    "outcomes"?: unknown | undefined
    "idempotency"?: "key" | "none" | undefined
  } & Record<string, unknown>
  "Imported": {
    "imported": true
    "baseUrl": string
    "userToken": Schemas["UserTokenMode"]
    "credentialStored": boolean
    "toolCount": number
    "writeToolCount": number
    /** What to register with `PUT /v1/tools`, as it is or edited. */
    "catalog": (unknown)[]
    "skipped": ({
      "name": string
      "method": string
      /** As the document writes it. */
      "path": string
    })[]
    "warnings": ({
      "operation": string
      "parameter": string | null
      "code": "short_description" | "optional_number" | "undescribed_id" | "undescribed_optional"
      "message": string
    })[]
    /** What was left out of the document or changed, and why. */
    "notes": ({
      "code": "body_left_out" | "credential_dropped" | "credential_place" | "input_left_out" | "own_server" | "schema_trimmed" | "unknown_member" | "uncallable_path" | "unresolved"
      "operation": string | null
      "message": string
    })[]
    /** Of the whole catalog, as a model reads it: a quarter of its characters. */
    "estimatedTokens": number
    /** The ten tools whose parameters are longest. */
    "largestSchemas": ({
      "name": string
      "characters": number
    })[]
    "source": Schemas["RepositorySource"] | null
  }
  "ImportRequest": {
    /** The OpenAPI document: 3.0, 3.1 or Swagger 2.0, as an object or as its JSON or YAML text. */
    "document": Record<string, unknown> | string
    /** Where the operations are called: absolute HTTPS at a public address. */
    "baseUrl": string
    /** By the names that the draft gave. Without it the answer is the draft. */
    "operations"?: Record<string, Schemas["ImportDeclaration"]> | undefined
    "skipUndeclared"?: boolean | undefined
    "credential"?: Schemas["ApiCredential"] | undefined
    "source"?: Schemas["RepositorySource"] | undefined
    "userToken"?: Schemas["UserTokenMode"] | undefined
  } & Record<string, unknown>
  "ImportShown": {
    "baseUrl": string
    "toolCount": number
    /** ISO 8601, UTC. */
    "importedAt": string
    "source": Schemas["RepositorySource"] | null
  }
  "InboxKeyRequest": {
    "label"?: string | undefined
  }
  "InsightsRequest": {
    "prompt"?: string | undefined
    /** A date or a timestamp. */
    "from"?: string | undefined
    "to"?: string | undefined
    "language"?: string | undefined
  }
  "Intent": {
    "intent": "bring_your_ai" | "answers" | "answers_and_actions"
  }
  "InvitationRequest": {
    "email": string
    /** The part of the address before the @, unless set. */
    "displayName"?: string | undefined
    /** `member`, unless set. */
    "role"?: string | undefined
    /** `ka` makes the mail Georgian, anything else English; the workspace’s language, unless set. */
    "language"?: string | undefined
  }
  "Invited": {
    "invited": true
    "user": Schemas["User"]
    "status": "queued" | "held" | "not_sent"
    /** Why the mail waits, or was not sent. */
    "reason"?: string | undefined
  }
  "IssuedKey": {
    /** The first 12 characters of a key. Not secret. */
    "prefix": string
    "kind": "secret" | "agent" | "publishable" | "action" | "provider" | "inbox" | "provider_inbox" | "sandbox" | "ci" | "ci_replace"
    "label": string | null
    /** ISO 8601, UTC. */
    "createdAt": string
    "lastUsedAt": string | null
    "expiresAt": string | null
    "revokedAt": string | null
    /** The key itself, which is shown once. We keep only its SHA-256. */
    "key": string
  }
  "Key": {
    /** The first 12 characters of a key. Not secret. */
    "prefix": string
    "kind": "secret" | "agent" | "publishable" | "action" | "provider" | "inbox" | "provider_inbox" | "sandbox" | "ci" | "ci_replace"
    "label": string | null
    /** ISO 8601, UTC. */
    "createdAt": string
    "lastUsedAt": string | null
    "expiresAt": string | null
    "revokedAt": string | null
  }
  "KeyList": {
    "keys": (Schemas["Key"])[]
    "count": number
  }
  "KeyRequest": {
    /** One of `secret`, `publishable`, `agent`, `inbox` or `ci`. */
    "kind": string
    "label"?: string | undefined
    /** Only for `ci`: lets the key replace existing knowledge documents. */
    "allowReplace"?: boolean | undefined
  }
  "KnowledgeDeleted": {
    "deleted": true
    "name": string
  }
  "KnowledgeDocument": {
    "name": string
    "format": "text" | "markdown"
    /** In Unicode code points. */
    "chars": number
    "chunks": number
    "source": Schemas["RepositorySource"] | null
    /** ISO 8601, UTC. */
    "createdAt": string
    /** ISO 8601, UTC. */
    "updatedAt": string
  }
  "KnowledgeHit": {
    "document": string
    /** Its place in the document, from 0. */
    "chunk": number
    /** The path of Markdown headings above it. */
    "heading": string | null
    /** Above 0, at most 1: the share of the question that it holds. */
    "score": number
    "text": string
  }
  "KnowledgeHits": {
    /** The best first. Empty if nothing fits. */
    "hits": (Schemas["KnowledgeHit"])[]
  }
  "KnowledgeList": {
    "documents": (Schemas["KnowledgeDocument"])[]
    "count": number
    /** The most documents that the workspace may have. */
    "limit": number
  }
  "KnowledgeRead": {
    "document": {
      "name": string
      "format": "text" | "markdown"
      /** In Unicode code points. */
      "chars": number
      "chunks": number
      "source": Schemas["RepositorySource"] | null
      /** ISO 8601, UTC. */
      "createdAt": string
      /** ISO 8601, UTC. */
      "updatedAt": string
      /** As it was sent. */
      "text": string
    }
  }
  "KnowledgeRequest": {
    /** 1 to 80 letters of any script, digits, `-`, `_` and `.`. */
    "name": string
    /** `text` unless set. */
    "format"?: "text" | "markdown" | undefined
    "text": string
    /** True to replace a document of this name. Otherwise an existing one is left as it is. */
    "replace"?: boolean | undefined
    "source"?: Schemas["RepositorySource"] | null | undefined
  }
  "KnowledgeStored": {
    "document": Schemas["KnowledgeDocument"]
  }
  /** The words by which people speak of each domain: 1 to 40 domains (^[a-z][a-z0-9_]{0,63}$), each with 1 to 200 words or phrases of at most 60 characters. */
  "Lexicon": Record<string, (string)[]>
  "LinkRequest": {
    /** The token of the mailed link. */
    "token": string
  }
  "ListenAnswers": {
    /** An id of your own choosing for one run of a listener. A new one takes over from the last. */
    "listener": string
    "epoch": string
    "answers": ({
      "number": number
      "status": number
      /** The content type; `application/json` unless set. */
      "type"?: string | undefined
      "body"?: string | undefined
    })[]
  }
  "Listened": {
    "epoch": string
    /** True if another listener of the workspace has taken over. Stop. */
    "displaced": boolean
    "requests": ({
      "number": number
      /** Those of the request, with its signatures. */
      "headers": Record<string, string>
      /** Exactly as it is signed. */
      "body": string
    })[]
  }
  "ListenRequest": {
    /** An id of your own choosing for one run of a listener. A new one takes over from the last. */
    "listener": string
    /** As the last answer gave it; null at first. It changes when the service has lost what waited, after which `number` begins anew. */
    "epoch"?: string | null | undefined
    /** The greatest `number` that you have received. What is above it is given again, so a lost answer loses nothing. */
    "received"?: number | undefined
    /** How long to wait where nothing has come: 0 unless set. */
    "waitSeconds"?: number | undefined
  }
  "ListenTaken": {
    /** How many of them somebody still waited for. */
    "taken": number
  }
  /** The JSON-RPC answer, or those of a batch. */
  "McpAnswer": {
    "jsonrpc": "2.0"
  } & Record<string, unknown> | ({
    "jsonrpc": "2.0"
  } & Record<string, unknown>)[]
  /** One JSON-RPC message, or a batch of at most 50 from a client of 2025. */
  "McpMessages": {
    "jsonrpc": "2.0"
  } & Record<string, unknown> | ({
    "jsonrpc": "2.0"
  } & Record<string, unknown>)[]
  "MessageRequest": {
    "text": string
    /** A registered person, whose name the visitor reads. Without one they read that of the business. */
    "userId"?: number | null | undefined
    /** The same key again answers the first message and writes no second one. */
    "idempotencyKey"?: string | null | undefined
  }
  "MessageSent": {
    "sessionId": string
    "message": Schemas["PersonsMessage"]
    /** True while a person has taken over and the assistant is silent. */
    "takenOver": boolean
    /** When that lapses unless a person writes. */
    "takenOverUntil": string | null
    "takenOverBy": {
      "name": string
    } | null
  }
  "NewBusiness": {
    /** The tenant, a positive integer. */
    "tenantId": number
    "name": string
    "plan": "free" | "bring_your_ai" | "use_tether_ai" | "Free" | "Starter" | "Growth" | "Enterprise"
    /** The first secret key, which is shown once. */
    "apiKey": string
    /** The first 12 characters of a key. Not secret. */
    "keyPrefix": string
    /** The secret, `whsec_…`, which is shown once. */
    "signingSecret": string
    /** The parts that were copied. */
    "configuration": (Schemas["ConfigurationPart"])[]
    /** The parts that were asked for and not copied, with the reason. */
    "refused": ({
      "part": Schemas["ConfigurationPart"]
      "error": string
    })[]
  }
  "NewTenant": {
    /** The tenant, a positive integer. */
    "tenantId": number
    "name": string
    "plan": "free" | "bring_your_ai" | "use_tether_ai" | "Free" | "Starter" | "Growth" | "Enterprise"
    /** The first secret key, which is shown once. */
    "apiKey": string
    /** The first 12 characters of a key. Not secret. */
    "keyPrefix": string
    /** The secret, `whsec_…`, which is shown once. */
    "signingSecret": string
  }
  "NotAmended": {
    "status": Schemas["ConfirmStatus"]
    "actionId": string
    "commandType": string | null
    /** What the endpoint answered, unchanged. */
    "appliedChanges": unknown
    "errorCode": Schemas["ConfirmErrorCode"] | null
    "errorMessage": string | null
    "verification": Schemas["Verification"] | null
    "approversRequired"?: number | undefined
    "approversReceived"?: number | undefined
    /** The action that this one was amended to before. */
    "replacedBy"?: string | undefined
  }
  "NotImported": {
    "imported": false
    /** Everything that is wrong, or what to do with the draft. */
    "error": string
    /** The same, fault by fault: at most 200. */
    "errors"?: ({
      "operation": string | null
      "message": string
    })[] | undefined
    /** The draft: every operation that can be declared. */
    "operations"?: ({
      "name": string
      "method": string
      /** As the document writes it. */
      "path": string
      "description": string
      "parameters": ({
        "name": string
        "in": "path" | "query" | "header" | "cookie" | "body"
        "required": boolean
        "type"?: string | (string)[] | undefined
        "description"?: string | undefined
      })[]
      /** A guess from the method alone. Declare it yourself. */
      "suggested_is_write": boolean
      "deprecated"?: true | undefined
    })[] | undefined
    "source"?: Schemas["RepositorySource"] | null | undefined
    /** What was left out of the document or changed, and why. */
    "notes"?: ({
      "code": "body_left_out" | "credential_dropped" | "credential_place" | "input_left_out" | "own_server" | "schema_trimmed" | "unknown_member" | "uncallable_path" | "unresolved"
      "operation": string | null
      "message": string
    })[] | undefined
    /** Against the registered catalog, once something was imported. */
    "changes"?: {
      "added": ({
        "name": string
        "method": string
        /** As the document writes it. */
        "path": string
      })[]
      "removed": ({
        "name": string
        "method": string
        /** As the document writes it. */
        "path": string
      })[]
      "changed": ({
        "name": string
        "method": string
        /** As the document writes it. */
        "path": string
      })[]
    } | undefined
  }
  "NotStaged": {
    "status": "unknown_tool" | "invalid_request" | "customer_required" | "precondition_failed" | "precondition_error"
    "toolName": string
    "actionId": null
    "message": string
    "resultJson": string
    /** With 400 and 404, where the request itself was wrong. */
    "error"?: {
      "code": "unknown_tool" | "invalid_request"
      "message": string
    } | undefined
  }
  "OpenAiCompletion": {
    "id": string
    "created": number
    "model": string
    "object": "chat.completion"
    "choices": ({
      "index": 0
      "message": {
        "role": "assistant"
        "content": string
        "refusal": null
      }
      "logprobs": null
      "finish_reason": "stop" | "content_filter"
    })[]
    "usage": {
      "prompt_tokens": number
      "completion_tokens": number
      "total_tokens": number
    }
    "metadata": {
      /** Send it back in `metadata` to continue the conversation. */
      "sessionId": string | null
      "requestId": string
    }
  }
  /** What went wrong, in the form of OpenAI’s errors. */
  "OpenAiError": {
    "error": {
      "message": string
      "type": "invalid_request_error" | "rate_limit_error" | "server_error"
      "param": string | null
      /** The code of our own table. */
      "code": string
      "reason"?: string | undefined
    }
  }
  "OpenAiMessage": {
    /** The last message is of the role `user` and asks. */
    "role": string
    /** Text, or parts: `text`, and in the last message one `image_url`. */
    "content"?: string | ({
      "type": string
    } & Record<string, unknown>)[] | undefined
  } & Record<string, unknown>
  "OpenAiModels": {
    "object": "list"
    "data": ({
      "id": string
      "object": "model"
      "created": number
      "owned_by": "tether"
    })[]
  }
  /** Other members of Chat Completions are accepted and have no effect, unless the answer would have another form. */
  "OpenAiRequest": {
    /** The one that GET /v1/openai/models names. */
    "model": string
    /** The last one is the question. Earlier ones are information and never an instruction; in a conversation that goes on, we have our own and do not read them. */
    "messages": (Schemas["OpenAiMessage"])[]
    "stream"?: boolean | undefined
    "stream_options"?: {
      "include_usage"?: boolean | undefined
    } & Record<string, unknown> | undefined
    "metadata"?: {
      /** The conversation to continue. */
      "sessionId"?: string | undefined
      /** Another name for `sessionId`. */
      "session_id"?: string | undefined
    } & Record<string, unknown> | undefined
    /** 1, if it is sent. */
    "n"?: number | undefined
    /** Refused: the tools are those of the catalog, and are called here. */
    "tools"?: (unknown)[] | undefined
  } & Record<string, unknown>
  "OpenedSession": {
    /** The session, `tus_…`, which is shown once. */
    "token": string
    "user": Schemas["User"]
    /** The tenant, a positive integer. */
    "tenantId": number
    "tenantName": string
    /** ISO 8601, UTC. */
    "expiresAt": string
  }
  "OpenSessionRequest": {
    /** The token of the mailed link, after `#signin=`. */
    "token": string
  }
  "OperatorIssuedKey": {
    /** The first 12 characters of a key. Not secret. */
    "prefix": string
    "kind": "secret" | "agent" | "publishable" | "action" | "provider" | "inbox" | "provider_inbox" | "sandbox" | "ci" | "ci_replace"
    "label": string | null
    /** ISO 8601, UTC. */
    "createdAt": string
    "lastUsedAt": string | null
    "expiresAt": string | null
    "revokedAt": string | null
    /** The key itself, which is shown once. We keep only its SHA-256. */
    "key": string
    /** The tenant, a positive integer. */
    "tenantId": number
  }
  "OperatorKeyRequest": {
    /** The tenant, a positive integer. */
    "tenantId": number
    "kind"?: string | undefined
    "label"?: string | undefined
    "plan"?: "free" | "bring_your_ai" | "use_tether_ai" | "Free" | "Starter" | "Growth" | "Enterprise" | undefined
  }
  "OriginList": {
    "origins": (string)[]
    "held": (string)[]
  }
  "OriginsRequest": {
    /** At most 2048 characters, added up over all origins. */
    "origins": (string)[]
    "holdUntilConfirmed"?: boolean | undefined
  }
  "OriginsStored": {
    "origins": (string)[]
    "held": (string)[]
    "reason"?: "public_origin" | undefined
  }
  "Outcomes": {
    /** ISO 8601, UTC. */
    "from": string
    /** ISO 8601, UTC. */
    "to": string
    "totals": {
      "conversations": number
      "turns": number
      "answered": number
      "handedOff": number
      "proposals": number
      "executed": number
      "verified": number
      "unverified": number
      "rejected": number
      "expired": number
      "ratings": {
        "up": number
        "down": number
      }
      /** The 20 asked most often among the latest 500 of the period that got no answer. */
      "unanswered": ({
        "question": string
        "count": number
        /** ISO 8601, UTC. */
        "lastAskedAt": string
      })[]
    }
  }
  "OutcomesDaily": {
    /** ISO 8601, UTC. */
    "from": string
    /** ISO 8601, UTC. */
    "to": string
    "days": ({
      "date": string
      "conversations": number
      "turns": number
      "answered": number
      "handedOff": number
      "proposals": number
      "executed": number
      "verified": number
      "unverified": number
      "rejected": number
      "expired": number
      "ratings": {
        "up": number
        "down": number
      }
    })[]
  }
  /** What a person at the business wrote. */
  "PersonsMessage": {
    "id": string
    /** The person, or the business where nobody was named. */
    "from": {
      "name": string
    }
    "text": string
    /** ISO 8601, UTC. */
    "at": string
    /** The `requestId` of the visitor’s turn that it follows. */
    "after": string | null
  }
  "Policy": {
    /** Counts every change; 0 before the first policy. */
    "version": number
    /** False before the first policy and after a deletion. */
    "inForce": boolean
    "rules": (Schemas["PolicyRule"])[]
    "requesterMayApprove": boolean
    "customerSelfConfirm": boolean
    /** Whether approvers are reminded when half of an action’s window has passed. */
    "remindAtHalf": boolean
    "changedAt": string | null
    /** What it means that no policy is in force. Null under a policy. */
    "notice": string | null
  }
  "PolicyDeleted": {
    /** False when no policy was in force. */
    "deleted": boolean
    "version": number
  }
  "PolicyInShadow": {
    /** The policy that is tried; `inForce` is false. Null while none is. */
    "policy": Schemas["Policy"] | null
    /** How many decisions were judged by it. */
    "decisions": number
    /** How many of them it would have decided otherwise. */
    "differing": number
    "differences": ({
      "number": number
      /** ISO 8601, UTC. */
      "at": string
      "actionId": string
      "tool": string
      "decision": "confirm" | "reject" | "amend"
      /** 0 for nobody, a customer, or somebody without a userId; `user` says who. */
      "userId": number
      /** The person as registered now; null where nobody is registered with that id. */
      "user": {
        "id": number
        "userId": number | null
        "displayName": string
        "email": string | null
      } | null
      /** Of the policy in force at that moment; 0 before the first. */
      "policyVersion": number
      /** What the policy in force said, which is what counted. */
      "live": Schemas["PolicyVerdict"]
      /** What the policy in shadow would have said. */
      "shadow": Schemas["PolicyVerdict"]
    })[]
    "count": number
    /** What to send as `before` for older ones, or null. */
    "nextBefore": number | null
  }
  /** Nothing was changed. */
  "PolicyRefused": {
    "registered": false
    "error": string
  }
  "PolicyRegistered": {
    "registered": true
    /** Only where the policy is tried, and not in force. */
    "mode"?: "shadow" | undefined
    /** Counts every change; 0 before the first policy. */
    "version": number
    /** False before the first policy and after a deletion. */
    "inForce": boolean
    "rules": (Schemas["PolicyRule"])[]
    "requesterMayApprove": boolean
    "customerSelfConfirm": boolean
    /** Whether approvers are reminded when half of an action’s window has passed. */
    "remindAtHalf": boolean
    "changedAt": string | null
    /** What it means that no policy is in force. Null under a policy. */
    "notice": string | null
    "warnings": Schemas["PolicyWarnings"]
  }
  "PolicyRequest": {
    /** The first rule that matches a write decides. */
    "rules": (Schemas["PolicyRule"])[]
    /** True, unless set. */
    "requesterMayApprove"?: boolean | undefined
    /** False, unless set. */
    "customerSelfConfirm"?: boolean | undefined
    /** False, unless set. */
    "remindAtHalf"?: boolean | undefined
  }
  "PolicyRule": {
    /** Any tool, unless set. */
    "tools"?: (string)[] | undefined
    /** Any domain, unless set. */
    "domains"?: (string)[] | undefined
    /** Any risk, unless set. */
    "risk"?: ("low" | "elevated" | "high")[] | undefined
    /** Matches writes worth this much or more (`value_from`; the sign does not count), and those whose value cannot be read. A tool without `value_from` matches only where `tools` names it. */
    "minValue"?: number | undefined
    /** The roles that may approve what this rule decides. */
    "roles": (string)[]
    /** How many different people must approve: 1, unless set. */
    "approvers"?: number | undefined
  }
  "PolicyVerdict": {
    "status": "Allowed" | "AwaitingApprovers" | "ApproverUnknown" | "ApprovalForbidden"
    /** How many different people must approve; null for a no. */
    "required": number | null
    /** How many have, with this one; null for a no. */
    "received": number | null
    /** Why this person may not decide it. */
    "message": string | null
  }
  /** What does not fit the policy in force. Empty without a policy. */
  "PolicyWarnings": ({
    "code": "unknown_tool" | "not_a_write" | "unknown_domain" | "unknown_role" | "no_people" | "too_few_people" | "uncovered_write" | "more"
    /** The place of the rule in the policy, from 0. */
    "rule": number | null
    /** The tool, domain or role. */
    "name": string | null
    "message": string
  })[]
  "Preview": {
    /** True until a catalog with a tool is registered. */
    "previewOnly": boolean
    "preview": {
      /** The origin at which the first page was read. */
      "site": string
      /** The name that the pages share. */
      "name": string | null
      "brand": Schemas["Brand"] | null
      "pages": number
      /** Entries of a feed. */
      "feedItems": number
      /** What the site lists, such as products. */
      "items": number
      /** The pieces in which all of it is found and quoted. */
      "chunks": number
      "pagesRefusedByRobots": number
      "stoppedAtPageLimit": boolean
      /** At most four titles of pages, or of the feed. */
      "topics": (string)[]
      /** ISO 8601, UTC. */
      "crawledAt": string
      /** The last time that the site was read again by itself; null if it never was. */
      "refresh": {
        /** ISO 8601, UTC. */
        "at": string
        /** `kept`: the site had lost more than half of its pages, so what was held stays. `failed`: nothing could be read. */
        "outcome": "replaced" | "kept" | "failed"
        /** How many pages it read. */
        "pages": number | null
      } | null
    } | null
  }
  "PreviewDeleted": {
    "deleted": boolean
  }
  "PreviewRequest": {
    /** The address of a public page, with https://. */
    "siteUrl": string
    /** The address of a feed. Without it, one that the first page announces on the same site is read. */
    "feedUrl"?: string | null | undefined
  }
  "PreviewStored": {
    "ingested": true
    /** The origin at which the first page was read. */
    "site": string
    /** The name that the pages share. */
    "name": string | null
    "brand": Schemas["Brand"] | null
    "pages": number
    /** Entries of a feed. */
    "feedItems": number
    /** What the site lists, such as products. */
    "items": number
    /** The pieces in which all of it is found and quoted. */
    "chunks": number
    "pagesRefusedByRobots": number
    "stoppedAtPageLimit": boolean
  }
  "Proposal": {
    "actionId": string
    "tool": string
    /** What people call the tool, in the language of the turn. */
    "title": string
    "summary": string
    "risk": "low" | "elevated" | "high"
    /** The arguments that would be sent, as they were staged. */
    "arguments": unknown
    /** What people call the arguments, in the language of the turn; those that are called otherwise than by their name. */
    "labels"?: Record<string, string> | undefined
    /** Arguments whose values have characters that nobody sees, such as direction marks, as people should read them: each such character by its code. */
    "shown"?: Record<string, string> | undefined
    /** ISO 8601, UTC. */
    "expiresAt": string
    /** Only for a caller who may confirm: a secret key, or a customer whom the policy allows to. */
    "confirmationToken"?: string | undefined
  }
  "ProviderKey": {
    "key": string
    /** The first 12 characters of a key. Not secret. */
    "prefix": string
    "kind": "provider"
  }
  "ProviderRevoked": {
    "provider": false
    "revokedKeys": number
  }
  "Push": {
    "pushId": string
    /** How many businesses it is for. */
    "total": number
    /** How many of them are done with every part. */
    "done": number
    "finishedAt": string | null
    /** What is done so far, by business and part. */
    "results": (Schemas["PushResult"])[]
  }
  "PushAccepted": {
    "pushId": string
    /** How many businesses it is for. */
    "total": number
  }
  "PushResult": {
    /** The tenant, a positive integer. */
    "tenantId": number
    "part": Schemas["ConfigurationPart"]
    "status": "applied" | "unchanged" | "refused"
    /** Why it was refused. */
    "error"?: string | undefined
  }
  "Ready": {
    "status": "ready" | "not_ready"
    "checks": {
      /** The database answers */
      "database": boolean
      /** Its schema has every migration of this build */
      "schema": boolean
      /** The encryption key opens what is stored */
      "keys": boolean
      /** The process is not stopping */
      "accepting": boolean
    }
  }
  "ReconcileRequest": {
    /** What a person found out about a write that must not be sent again (`idempotency: "none"`): whether it was performed. */
    "performed"?: boolean | undefined
    /** How they know. It is kept in the audit trail. */
    "note"?: string | undefined
    /** Send it although the endpoint, the imported API or the MCP server has moved since: only where the new one knows the idempotency keys of the old one, or is sure that it was not performed there. */
    "sendToNewEndpoint"?: boolean | undefined
  }
  "RecoverAccepted": {
    "accepted": true
    "email": string
    "message": string
  }
  "RecoverRequest": {
    "email": string
    /** `ka` makes the mail Georgian, anything else English. */
    "language"?: string | undefined
  }
  "Redeemed": {
    /** The tenant, a positive integer. */
    "tenantId": number
    "name": string
    /** The new secret key, which is shown once. */
    "apiKey": string
    /** The first 12 characters of a key. Not secret. */
    "keyPrefix": string
    /** How many secret keys were revoked. */
    "revokedKeys": number
    /** The new secret, if you asked for one. It is shown once. */
    "signingSecret": string | null
    /** Lines for a shell with the address of the service, the key and the signing secret. */
    "exportLines": (string)[]
    "note": string
  }
  "RedeemRequest": {
    /** The token of the mailed link. */
    "token": string
    "rotateSigningSecret"?: boolean | undefined
  }
  "Redelivery": {
    "queued": true
    "eventId": string
    "event": string
  }
  "RejectRequest": {
    "reason"?: string | undefined
    /** Also tells the reason to the visitor whose conversation proposed the write. Otherwise it is for your staff alone. */
    "tellVisitor"?: boolean | undefined
  }
  "RepositorySource": {
    "kind": "repository"
    /** The id of the commit: 7 to 64 hexadecimal digits. */
    "commit": string
    /** A path inside of the repository: 1 to 400 characters, without `..`. */
    "path": string
    /** True if the working tree differed from the commit. */
    "dirty": boolean
  }
  "RevokedKey": {
    "revoked": true
    /** The first 12 characters of a key. Not secret. */
    "prefix": string
  }
  "RotatedKey": {
    /** The first 12 characters of a key. Not secret. */
    "prefix": string
    "kind": "secret" | "agent" | "publishable" | "action" | "provider" | "inbox" | "provider_inbox" | "sandbox" | "ci" | "ci_replace"
    "label": string | null
    /** ISO 8601, UTC. */
    "createdAt": string
    "lastUsedAt": string | null
    "expiresAt": string | null
    "revokedAt": string | null
    /** The key itself, which is shown once. We keep only its SHA-256. */
    "key": string
    /** The first 12 characters of a key. Not secret. */
    "revokedPrefix": string
  }
  "SandboxOpened": {
    /** The key of this sandbox, `tsb_…`, which is shown once. */
    "sandboxKey": string
    /** The first 12 characters of a key. Not secret. */
    "keyPrefix": string
    "state": "crawling"
    "site": string
    /** ISO 8601, UTC. */
    "expiresAt": string
    "limits": {
      "pages": number
      "bytes": number
      "seconds": number
      "lifetimeMinutes": number
      "turns": number
    }
    "notice": string
  }
  "SandboxRequest": {
    /** The address of a public page, with https://. */
    "siteUrl": string
    /** The address of a feed. Without it, one that the first page announces on the same site is read. */
    "feedUrl"?: string | null | undefined
  }
  "SandboxStatus": {
    "state": "crawling" | "ready" | "empty" | "failed" | "expired"
    "pagesRead": number
    "chunks": number
    "topics": (string)[]
    "name": string | null
    "items": number
    "brand": Schemas["Brand"] | null
    "turnsLeft": number
    /** ISO 8601, UTC. */
    "expiresAt": string
    "error": string | null
    "errorCode": "site_challenged" | "unreachable" | "robots_refused" | "too_slow" | null
  }
  "SessionClosed": {
    "closed": true
  }
  "SessionDeleted": {
    "deleted": true
    "sessionId": string
  }
  /** The same for every address. */
  "SignInAccepted": {
    "accepted": true
    "email": string
    "message": string
  }
  "SigningSecret": {
    /** The secret, `whsec_…`, which is shown once. */
    "signingSecret": string
  }
  "SignInRequest": {
    "email": string
    /** `ka` makes the mail Georgian, anything else English; the workspace’s language, unless set. */
    "language"?: string | undefined
    /** Read from a provider’s key only: which of its businesses. */
    "tenantId"?: number | undefined
  }
  "Signup": {
    /** The tenant, a positive integer. */
    "tenantId": number
    "name": string
    "plan": "free"
    /** The first secret key, which is shown once. */
    "apiKey": string
    /** The first 12 characters of a key. Not secret. */
    "keyPrefix": string
    /** The secret, `whsec_…`, which is shown once. */
    "signingSecret": string
    "emailConfirmed": boolean
    "confirmation": {
      "sentTo": string
      "resend": {
        "method": "POST"
        "path": string
      }
      /** What waits until the address is confirmed. */
      "waits": ("public_origin" | "third_party_mail" | "paid_plan" | "provider_grant" | "child_tenant")[]
    } | null
    /** Lines for a shell with the address of the service, the key and the signing secret. */
    "exportLines": (string)[]
    /** Where `/mcp` answers, on a deployment that has it. */
    "mcpUrl"?: string | undefined
    "apiBaseUrl": string
    "nextSteps": (string)[]
    "notice": string
  }
  "SignupRequest": {
    "email": string
    /** The workspace’s name, 2 to 120 characters. */
    "name": string
    /** `ka` makes the mail Georgian, anything else English. */
    "language"?: string | undefined
  }
  "SiteCheck": {
    "url": string
    "reachable": boolean
    "status": number
    "finalUrl": string
    "error": string | null
    "snippet": {
      "element": boolean
      "script": boolean
      "key": "this_workspace" | "other" | "missing"
    }
    "secretKeyOnPage": boolean
    "csp": {
      "scriptAllowed": boolean
      "connectAllowed": boolean
    } | null
    "origins": ({
      "origin": string
      "serves": boolean
      "registered": boolean
      "held": boolean
    })[]
  }
  "SiteCheckRequest": {
    "url": string
  }
  "SlackChannel": {
    "configured": boolean
    "channel": string | null
    /** The Slack team whose members may decide. */
    "teamId": string | null
    /** Goes into the app as the Request URL of its interactivity. It answers Slack alone. */
    "interactionsUrl": string
    "setAt": string | null
    /** Why nothing gets through at present; null where all is well. */
    "fault": {
      /** The other side’s own word, or `unreachable`. */
      "code": string
      "message": string
      /** ISO 8601, UTC. */
      "at": string
    } | null
  }
  "SlackRequest": {
    /** The bot token of the app (`xoxb-…`). Absent keeps the stored one; the first time it is needed. */
    "botToken"?: string | undefined
    /** The signing secret of the app, by which its clicks are known. Absent keeps the stored one; the first time it is needed. */
    "signingSecret"?: string | undefined
    /** The channel to post in, best by its id (`C…`). Absent keeps the stored one; the first time it is needed. */
    "channel"?: string | undefined
  }
  "Source": {
    "kind": "knowledge" | "page" | "feed"
    "title": string
    "url": string | null
  }
  "StageAnswer": {
    "status": "preview"
    "toolName": string
    "actionId": string
    /** `tac_…`. Shown once. */
    "confirmationToken": string
    /** ISO 8601, UTC. */
    "expiresAt": string
    "summary": string
    /** The same as JSON text, kept for older clients. */
    "resultJson": string
  }
  "StageRequest": {
    "tool": string
    "arguments"?: Record<string, unknown> | undefined
    "rationale"?: string | undefined
    /** The token then speaks for this person and for no one else. */
    "approverUserId"?: number | undefined
  }
  "Takeover": {
    "sessionId": string
    /** True while a person has taken over and the assistant is silent. */
    "takenOver": boolean
    /** When that lapses unless a person writes. */
    "takenOverUntil": string | null
    "takenOverBy": {
      "name": string
    } | null
  }
  "TakeoverRequest": {
    /** A registered person, whose name the visitor reads. Without one they read that of the business. */
    "userId"?: number | null | undefined
  }
  "TeamsChannel": {
    "configured": boolean
    /** Of the workflow’s address; the rest of it is a credential. */
    "host": string | null
    "setAt": string | null
    /** Why nothing gets through at present; null where all is well. */
    "fault": {
      /** The other side’s own word, or `unreachable`. */
      "code": string
      "message": string
      /** ISO 8601, UTC. */
      "at": string
    } | null
  }
  "TeamsRequest": {
    /** The address of the workflow “When a Teams webhook request is received”. It is a credential, and never shown again. */
    "url": string
  }
  "TenantDetail": {
    /** The tenant, a positive integer. */
    "tenantId": number
    "name": string
    "plan": "free" | "bring_your_ai" | "use_tether_ai" | "Free" | "Starter" | "Growth" | "Enterprise"
    "selfServe": boolean
    "emailConfirmed": boolean
    "provider": boolean
    /** The provider whose business it is, or null. */
    "providerId": number | null
    /** ISO 8601, UTC. */
    "createdAt": string
    "moderation": "default" | "on" | "off"
    "budget": {
      "dailyCapUsd": number | null
      "monthlyCapUsd": number | null
    }
    "liveKeys": number
    "spend": {
      "dailyUsd": number
      "monthlyUsd": number
    }
  }
  "TenantList": {
    "tenants": (Schemas["TenantSummary"])[]
    "count": number
    "nextAfter": number | null
  }
  "TenantPatch": {
    "name"?: string | undefined
    "plan"?: "free" | "bring_your_ai" | "use_tether_ai" | "Free" | "Starter" | "Growth" | "Enterprise" | undefined
    "moderation"?: "default" | "on" | "off" | undefined
    /** A cap of null removes it. */
    "budget"?: {
      "dailyCapUsd"?: number | null | undefined
      "monthlyCapUsd"?: number | null | undefined
    } | undefined
    /** Moves it to this provider; null makes it nobody’s business. */
    "providerId"?: number | null | undefined
  }
  "TenantRequest": {
    /** The workspace’s name, 2 to 120 characters. */
    "name": string
    "plan"?: "free" | "bring_your_ai" | "use_tether_ai" | "Free" | "Starter" | "Growth" | "Enterprise" | undefined
    "email"?: string | undefined
  }
  "TenantSummary": {
    /** The tenant, a positive integer. */
    "tenantId": number
    "name": string
    "plan": "free" | "bring_your_ai" | "use_tether_ai" | "Free" | "Starter" | "Growth" | "Enterprise"
    "selfServe": boolean
    "emailConfirmed": boolean
    "provider": boolean
    /** The provider whose business it is, or null. */
    "providerId": number | null
    /** ISO 8601, UTC. */
    "createdAt": string
  }
  "TestDelivery": {
    "delivery": Schemas["Delivery"]
    "answer": {
      "status": number
      /** The beginning of the receiver’s answer. */
      "body": string
    } | null
  }
  "ToolCallAnswer": {
    "status": "ok" | "staged" | "unknown_tool" | "not_configured" | "invalid_endpoint" | "endpoint_error" | "timeout" | "unreachable" | "response_too_large" | "server_error" | "in_flight" | "refused" | "indeterminate" | "failed" | "customer_required" | "user_token_required" | "precondition_failed" | "precondition_error"
    "toolName": string
    /** What the endpoint answered; null when it gave no usable answer. */
    "result": unknown
    /** What was left out of a trimmed result. */
    "notice"?: string | undefined
    /** What went wrong, in words for a model. */
    "message"?: string | undefined
    /** How the last attempt of a failed read ended. */
    "lastStatus"?: "ok" | "staged" | "unknown_tool" | "not_configured" | "invalid_endpoint" | "endpoint_error" | "timeout" | "unreachable" | "response_too_large" | "server_error" | "in_flight" | "refused" | "indeterminate" | "failed" | "customer_required" | "user_token_required" | "precondition_failed" | "precondition_error" | undefined
    "durationMs": number
  }
  "ToolCallRefusal": {
    "status": "customer_required" | "user_token_required"
    "toolName": string
    "message": string
  }
  "ToolCallRequest": {
    /** The tool’s arguments, by name. */
    "arguments"?: Record<string, unknown> | undefined
  }
  /** A list of tool specifications; docs/tools.md says what each may hold. */
  "ToolSpecs": (unknown)[]
  "Transcript": {
    "sessionId": string
    /** ISO 8601, UTC. */
    "startedAt": string
    /** ISO 8601, UTC. */
    "lastAt": string
    /** The verified customer, or null. */
    "customerId": string | null
    /** True once a turn, or the check of a write, called for a person. */
    "handedOff": boolean
    /** The latest rating in it. */
    "rating": "up" | "down" | null
    /** That of its latest turn. */
    "language": "ka" | "en" | null
    /** True while a person has taken over and the assistant is silent. */
    "takenOver": boolean
    /** When that lapses unless a person writes. */
    "takenOverUntil": string | null
    "takenOverBy": {
      "name": string
    } | null
    /** The latest ones of the conversation, the oldest first. */
    "turns": (Schemas["TranscriptTurn"])[]
    /** What people at the business wrote meanwhile. */
    "messages": (Schemas["PersonsMessage"])[]
    /** The `before` of the next page, or null after the last. */
    "nextBefore": string | null
  }
  "TranscriptTurn": {
    "requestId": string
    /** ISO 8601, UTC. */
    "at": string
    "prompt": string
    "blocks": (Schemas["Block"])[]
    "toolCalls": ({
      "tool": string
      "status": "ok" | "staged" | "unknown_tool" | "not_configured" | "invalid_endpoint" | "endpoint_error" | "timeout" | "unreachable" | "response_too_large" | "server_error" | "in_flight" | "refused" | "indeterminate" | "failed" | "customer_required" | "user_token_required" | "precondition_failed" | "precondition_error"
      "durationMs": number
    })[]
    "proposals": ({
      "actionId": string
      "tool": string
      "title": string
      "summary": string
      /** What has become of it by now. */
      "status": "pending" | "executing" | "executed" | "failed" | "rejected" | "expired" | "indeterminate" | "precondition_failed"
      "reason": string | null
      "settledAt": string | null
      "verification": {
        "status": string
        "reason": string | null
      } | null
      /** The proposal that somebody amended into this one. */
      "replaces": string | null
    })[]
    "rating": {
      "rating": "up" | "down"
      "comment": string | null
      /** ISO 8601, UTC. */
      "at": string
    } | null
    "handoffs": ({
      "trigger": "assistant" | "visitor" | "unverified_outcome"
      "reason": string | null
      "summary": string
    })[]
    "resultPath": "ok" | "out_of_scope" | "budget_exceeded" | "error" | "canceled"
    /** True if a person had taken over, so that the assistant was silent. */
    "takenOver": boolean
  }
  "TrialCase": {
    "prompt": string
    "language"?: string | undefined
    /** What each read answers, by the name of its tool. A read without one is `not_configured`. */
    "results"?: Record<string, unknown> | undefined
    "expect": Schemas["TrialExpectation"]
  }
  "TrialExpectation": {
    /** A tool that must be called or, if it is a write, proposed. */
    "tool"?: string | undefined
    /** What that call must have been given. Members that are not named are free; null means absent. */
    "arguments"?: Record<string, unknown> | undefined
    /** Whether a write must have been proposed, or none may. */
    "proposal"?: boolean | undefined
    /** Words that the answer must have, without regard to case and white space. */
    "answerHas"?: string | (string)[] | undefined
    /** True if no tool of the catalog may be called. */
    "noCall"?: boolean | undefined
  }
  "TrialResult": {
    "prompt": string
    "language": "ka" | "en"
    /** What of the case does not fit the catalog. */
    "warnings": (string)[]
    /** What answered: a model, or `offline`. */
    "model": string
    "passed": boolean
    /** What was expected and did not happen. Empty if it passed. */
    "failures": (string)[]
    /** The tools that were asked for, in order: at most the first 20. */
    "chosen": ({
      "tool": string
      /** Null where they were no JSON object, or too long to show. */
      "arguments": unknown
      "status": "ok" | "staged" | "unknown_tool" | "not_configured" | "invalid_endpoint" | "endpoint_error" | "timeout" | "unreachable" | "response_too_large" | "server_error" | "in_flight" | "refused" | "indeterminate" | "failed" | "customer_required" | "user_token_required" | "precondition_failed" | "precondition_error"
    })[]
    /** The writes that would have been staged. None was: nobody can confirm them. */
    "proposals": (Schemas["Proposal"])[]
    "handoff": {
      "trigger": "assistant" | "visitor"
      "reason": string
      "summary": string
    } | null
    /** The answer in words, cut after 4,000 characters. */
    "answer": string
    "sources": (Schemas["Source"])[]
    "resultPath": "ok" | "out_of_scope" | "budget_exceeded" | "error" | "canceled"
    "error": {
      "code": string
      "message": string
    } | null
    "inputTokens": number
    "outputTokens": number
    /** What it cost, which counts against the budgets. */
    "costUsd": number
    "durationMs": number
    /** What was said and called, of a run that did not pass. */
    "transcript"?: ({
      "role": "visitor" | "assistant" | "tool"
      "text": string
      "calls"?: ({
        "tool": string
        "arguments": string
      })[] | undefined
      "tool"?: string | undefined
    })[] | undefined
    /** The same case without a model. */
    "offline"?: Schemas["TrialRun"] | undefined
  }
  "TrialRun": {
    /** What answered: a model, or `offline`. */
    "model": string
    "passed": boolean
    /** What was expected and did not happen. Empty if it passed. */
    "failures": (string)[]
    /** The tools that were asked for, in order: at most the first 20. */
    "chosen": ({
      "tool": string
      /** Null where they were no JSON object, or too long to show. */
      "arguments": unknown
      "status": "ok" | "staged" | "unknown_tool" | "not_configured" | "invalid_endpoint" | "endpoint_error" | "timeout" | "unreachable" | "response_too_large" | "server_error" | "in_flight" | "refused" | "indeterminate" | "failed" | "customer_required" | "user_token_required" | "precondition_failed" | "precondition_error"
    })[]
    /** The writes that would have been staged. None was: nobody can confirm them. */
    "proposals": (Schemas["Proposal"])[]
    "handoff": {
      "trigger": "assistant" | "visitor"
      "reason": string
      "summary": string
    } | null
    /** The answer in words, cut after 4,000 characters. */
    "answer": string
    "sources": (Schemas["Source"])[]
    "resultPath": "ok" | "out_of_scope" | "budget_exceeded" | "error" | "canceled"
    "error": {
      "code": string
      "message": string
    } | null
    "inputTokens": number
    "outputTokens": number
    /** What it cost, which counts against the budgets. */
    "costUsd": number
    "durationMs": number
    /** What was said and called, of a run that did not pass. */
    "transcript"?: ({
      "role": "visitor" | "assistant" | "tool"
      "text": string
      "calls"?: ({
        "tool": string
        "arguments": string
      })[] | undefined
      "tool"?: string | undefined
    })[] | undefined
  }
  /** The cases in the order in which they were sent. */
  "TrialsAnswer": {
    "catalogVersion": number
    "passed": number
    "failed": number
    /** What answers this workspace’s chats. */
    "model": string
    "costUsd": number
    /** The same cases without a model. Null where none is configured, because then that is what answers. */
    "offline": {
      "passed": number
      "failed": number
    } | null
    "count": number
    "results": (Schemas["TrialResult"])[]
  }
  "TrialsRequest": {
    "cases": (Schemas["TrialCase"])[]
    "capabilityMode"?: "Standard" | "Deep" | undefined
    /** As in a chat request. */
    "enableWriteActions"?: boolean | undefined
  }
  /** `stopped` is false if the turn had already ended. */
  "TurnStopped": {
    "stopped": boolean
    "requestId": string
  }
  "UiMessage": {
    "role": "system" | "user" | "assistant"
    /** Of the last message we read the parts `text` and `file` (one picture). Nothing else is read as words. */
    "parts": ({
      "type": string
    } & Record<string, unknown>)[]
    /** Of the last answer we read the `sessionId`. */
    "metadata"?: unknown | undefined
  } & Record<string, unknown>
  "Upstream": {
    "name": string
    "url": string
    "credentialStored": boolean
    "tools": ({
      /** Its name at the server. */
      "tool": string
      /** Its name in the catalog. */
      "name": string
      "isWrite": boolean
      "idempotency": "key" | "none"
      /** A tool that is not `ready` is no longer what was declared. It is not called until it is declared again. */
      "state": "ready" | "changed" | "vanished"
    })[]
    "health": {
      "status": "ok" | "changed" | "unreachable"
      "message": string | null
      /** ISO 8601, UTC. */
      "checkedAt": string
    }
    /** ISO 8601, UTC. */
    "createdAt": string
    /** ISO 8601, UTC. */
    "updatedAt": string
  }
  "UpstreamNotRemoved": {
    "deleted": false
    "error": string
  }
  "UpstreamRefused": {
    "registered": false
    /** Everything that is wrong, in one message. */
    "error": string
    /** What the server offers, to declare `is_write` of each. */
    "tools"?: ({
      "name": string
      "description": string
      "parameters": unknown
    })[] | undefined
  }
  "UpstreamRegistered": {
    "registered": true
    /** The catalog’s. */
    "version": number
    "upstream": Schemas["Upstream"]
    /** Tools of the server that were not taken. */
    "skipped": (string)[]
  }
  "UpstreamRemoved": {
    "deleted": true
    "name": string
    "version": number
  }
  "UpstreamRequest": {
    /** Where the server speaks Streamable HTTP: absolute HTTPS. */
    "url": string
    /** Sent as `Authorization: Bearer`, at most 4,000 characters. Absent keeps the stored one; an empty text clears it. */
    "credential"?: string | null | undefined
    /** The tools to take, by their names at the server. Absent means all of them. */
    "tools"?: (string | {
      /** Its name at the server. */
      "name": string
    } & Record<string, unknown>)[] | undefined
    /** For each tool that is taken whether it changes something. Never taken from the server. */
    "is_write"?: Record<string, boolean> | undefined
  }
  "Upstreams": {
    "upstreams": (Schemas["Upstream"])[]
    "count": number
  }
  "Usage": {
    /** ISO 8601, UTC. */
    "from": string
    /** ISO 8601, UTC. */
    "to": string
    /** Of all businesses, whichever page this is. */
    "totals": {
      "turns": number
      "inputTokens": number
      "outputTokens": number
      "costUsd": number
      /** Staged writes that were executed. */
      "executed": number
    }
    "tenants": ({
      /** The tenant, a positive integer. */
      "tenantId": number
      "name": string
      "turns": number
      "inputTokens": number
      "outputTokens": number
      "costUsd": number
      /** Staged writes that were executed. */
      "executed": number
    })[]
    "count": number
    /** The value of `after` for the next page, or null. */
    "nextAfter": number | null
  }
  "User": {
    /** The person’s id in this service. Never reused. */
    "id": number
    "userId": number | null
    "displayName": string
    "email": string | null
    "role": string
    "active": boolean
    /** ISO 8601, UTC. */
    "createdAt": string
  }
  /** Matched by `id`, else `userId`, else (a person without a `userId`) `email`. A member that is left out keeps its value. */
  "UserEntry": {
    "id"?: number | null | undefined
    "userId"?: number | null | undefined
    /** Required for a new person. */
    "displayName"?: string | undefined
    /** Null removes the address. */
    "email"?: string | null | undefined
    /** `member` for a new person, unless set. */
    "role"?: string | undefined
    /** Somebody inactive approves nothing. */
    "active"?: boolean | undefined
  }
  "UserList": {
    "users": (Schemas["User"])[]
    "count": number
  }
  "UserRemoved": {
    "removed": true
    "id": number
    "warnings": Schemas["PolicyWarnings"]
  }
  "UserSession": {
    "user": Schemas["User"]
    /** The tenant, a positive integer. */
    "tenantId": number
    "tenantName": string
    /** ISO 8601, UTC. */
    "expiresAt": string
  }
  /** Nothing was changed. */
  "UsersRefused": {
    "registered": false
    "error": string
  }
  "UsersRegistered": {
    "registered": true
    /** How many people are registered now. */
    "userCount": number
    "warnings": Schemas["PolicyWarnings"]
  }
  "UsersRequest": (Schemas["UserEntry"])[] | {
    "users": (Schemas["UserEntry"])[]
  }
  /** `ignore`: the stored credential, always. `prefer`: the person’s token where one is sent. `require`: nothing is called without one. */
  "UserTokenMode": "ignore" | "prefer" | "require"
  "Verification": {
    "status": "verified" | "unverified"
    "reason": string
    /** ISO 8601, UTC. */
    "checkedAt": string
    "handoff"?: {
      "trigger": "unverified_outcome"
      "sessionId": string | null
    } | undefined
  }
  /** The `data:` of one frame of a watch. An `end` asks to watch again. */
  "WatchFrame": {
    "type": "decision"
    "actionId": string
    "status": "executed" | "failed" | "rejected" | "expired" | "indeterminate" | "precondition_failed"
    /** Why. Null for a page or an agent, unless whoever declined it said `tellVisitor`. */
    "reason": string | null
    /** The same in words for the visitor, in the language of the turn. */
    "text": string
  } | {
    "type": "message"
    "id": string
    /** The person, or the business where nobody was named. */
    "from": {
      "name": string
    }
    "text": string
    /** ISO 8601, UTC. */
    "at": string
    /** The `requestId` of the visitor’s turn that it follows. */
    "after": string | null
  } | {
    "type": "end"
  }
  "WidgetBuild": {
    /** The path that always serves the current build. */
    "scriptPath": string
    /** The path that serves this build for ever. */
    "pinnedPath": string
    /** For the `integrity` attribute of the pinned script. */
    "integrity": string
    /** The size of the script, compressed with gzip. */
    "bytes": number
    /** True if no language model is set up here. The widget says so before the first question. */
    "offline": boolean
  }
}

/** Every operation of the reference: what it is sent, and what it answers when all is well. */
export type Operations = {
  /** The process is up */
  "GET /health": {
    request: {  }
    answer: Schemas["Health"]
  }
  /** Whether a balancer should send requests to this instance */
  "GET /ready": {
    request: {  }
    answer: Schemas["Ready"]
  }
  /** Read the workspace that the key belongs to */
  "GET /v1/account": {
    request: {  }
    answer: Schemas["Account"]
  }
  /** Delete the workspace and everything in it */
  "DELETE /v1/account": {
    request: { body?: {
      "confirm"?: string | undefined
    } }
    answer: Schemas["Deletion"]
  }
  /** Say what the workspace is for */
  "PUT /v1/account/intent": {
    request: { body: {
      "intent": string
    } }
    answer: Schemas["Intent"]
  }
  /** List the events of the account: keys, secrets, recoveries */
  "GET /v1/account/events": {
    request: { query?: { "limit"?: number | undefined } }
    answer: Schemas["AccountEvents"]
  }
  /** List every key of the workspace, including revoked ones */
  "GET /v1/account/keys": {
    request: {  }
    answer: Schemas["KeyList"]
  }
  /** Issue a key */
  "POST /v1/account/keys": {
    request: { body: Schemas["KeyRequest"] }
    answer: Schemas["IssuedKey"]
  }
  /** Describe the key that this request uses */
  "GET /v1/account/keys/self": {
    request: {  }
    answer: Schemas["Key"]
  }
  /** Replace a key with a new one of the same kind and label */
  "POST /v1/account/keys/{prefix}/rotate": {
    request: { params: { "prefix": string } }
    answer: Schemas["RotatedKey"]
  }
  /** Revoke a key */
  "DELETE /v1/account/keys/{prefix}": {
    request: { params: { "prefix": string } }
    answer: Schemas["RevokedKey"]
  }
  /** Issue the key with which your server signs customer tokens */
  "POST /v1/account/customer-token-key": {
    request: {  }
    answer: Schemas["CustomerTokenKey"]
  }
  /** Replace the secret with which we sign calls and events */
  "POST /v1/account/signing-secret/rotate": {
    request: {  }
    answer: Schemas["SigningSecret"]
  }
  /** After a leak: revoke every key and start again */
  "POST /v1/account/compromise": {
    request: { body?: {
      "rotateSigningSecret"?: boolean | undefined
    } }
    answer: Schemas["Compromise"]
  }
  /** Create your own workspace */
  "POST /v1/signup": {
    request: { body: Schemas["SignupRequest"] }
    answer: Schemas["Signup"]
  }
  /** Create a workspace with a mailed link */
  "POST /v1/signup/verify": {
    request: { body: Schemas["LinkRequest"] }
    answer: Schemas["Signup"]
  }
  /** Confirm the address of a workspace with its mailed link */
  "POST /v1/signup/confirm": {
    request: { body: Schemas["LinkRequest"] }
    answer: Schemas["Confirmed"]
  }
  /** Ask for a link to a new secret key */
  "POST /v1/signup/recover": {
    request: { body: Schemas["RecoverRequest"] }
    answer: Schemas["RecoverAccepted"]
  }
  /** Get a new secret key with the mailed link */
  "POST /v1/signup/recover/redeem": {
    request: { body: Schemas["RedeemRequest"] }
    answer: Schemas["Redeemed"]
  }
  /** Read whether the workspace’s address is confirmed, and what waits for it */
  "GET /v1/account/confirmation": {
    request: {  }
    answer: Schemas["Confirmation"]
  }
  /** Send the confirmation link again, or to another address */
  "POST /v1/account/confirmation": {
    request: { body?: Schemas["ConfirmationRequest"] }
    answer: Schemas["ConfirmationSent"]
  }
  /** The catalog, as it was registered */
  "GET /v1/tools": {
    request: {  }
    answer: Schemas["Catalog"]
  }
  /** Register a catalog in place of the present one */
  "PUT /v1/tools": {
    request: { body: readonly (unknown)[] }
    answer: Schemas["CatalogRegistered"]
  }
  /** Check a catalog without registering it */
  "POST /v1/tools/validate": {
    request: { body: readonly (unknown)[] }
    answer: Schemas["CatalogValid"]
  }
  /** Where the workspace’s tools are called */
  "GET /v1/endpoint": {
    request: {  }
    answer: Schemas["Endpoint"]
  }
  /** Set or clear where the workspace’s tools are called */
  "PUT /v1/endpoint": {
    request: { body: Schemas["EndpointRequest"] }
    answer: Schemas["Endpoint"]
  }
  /** Send the endpoint one signed request of no effect, and show both sides in full */
  "POST /v1/endpoint/test": {
    request: { headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Role"?: string | undefined; "X-Service-Scope-Id"?: string | undefined } }
    answer: Schemas["EndpointTest"]
  }
  /** List the calls of tools, newest first: how each ended, and how long it took */
  "GET /v1/calls": {
    request: { query?: { "tool"?: string | undefined; "status"?: string | undefined; "limit"?: number | undefined; "before"?: number | undefined } }
    answer: Schemas["CallRecords"]
  }
  /** Call one tool */
  "POST /v1/tools/{name}/call": {
    request: { params: { "name": string }; headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Role"?: string | undefined; "X-Service-Scope-Id"?: string | undefined; "Idempotency-Key"?: string | undefined; "X-Service-Customer-Token"?: string | undefined; "X-Service-Upstream-Token"?: string | undefined }; body?: Schemas["ToolCallRequest"] }
    answer: Schemas["ToolCallAnswer"] | Schemas["StageAnswer"]
  }
  /** Stage a write */
  "POST /v1/actions": {
    request: { headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Role"?: string | undefined; "X-Service-Scope-Id"?: string | undefined; "Idempotency-Key"?: string | undefined; "X-Service-Customer-Token"?: string | undefined; "X-Service-Upstream-Token"?: string | undefined }; body: Schemas["StageRequest"] }
    answer: Schemas["StageAnswer"]
  }
  /** Staged writes, newest first */
  "GET /v1/actions": {
    request: { query?: { "limit"?: number | undefined; "before"?: string | undefined; "scope"?: number | undefined; "tool"?: string | undefined; "status"?: "pending" | "executed" | "failed" | "rejected" | "expired" | "indeterminate" | "precondition_failed" | undefined }; headers?: { "X-Service-User-Session"?: string | undefined } }
    answer: Schemas["ActionList"]
  }
  /** Confirm a staged write, and run it */
  "POST /v1/actions/{actionId}/confirm": {
    request: { params: { "actionId": string }; headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Role"?: string | undefined; "X-Service-Upstream-Token"?: string | undefined; "X-Service-User-Session"?: string | undefined }; body?: Schemas["ConfirmRequest"] }
    answer: Schemas["ConfirmAnswer"]
  }
  /** Decline a staged write */
  "POST /v1/actions/{actionId}/reject": {
    request: { params: { "actionId": string }; headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Session"?: string | undefined }; body?: Schemas["RejectRequest"] }
    answer: Schemas["ConfirmAnswer"]
  }
  /** Propose a staged write again with other arguments */
  "POST /v1/actions/{actionId}/amend": {
    request: { params: { "actionId": string }; headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Role"?: string | undefined; "X-Service-User-Session"?: string | undefined }; body: Schemas["AmendRequest"] }
    answer: Schemas["AmendAnswer"] | Schemas["NotAmended"] | Schemas["ConfirmAnswer"]
  }
  /** Settle a write whose outcome is not known */
  "POST /v1/actions/{actionId}/reconcile": {
    request: { params: { "actionId": string }; headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-Upstream-Token"?: string | undefined }; body?: Schemas["ReconcileRequest"] }
    answer: Schemas["ConfirmAnswer"]
  }
  /** One staged write, and what its decision rests on */
  "GET /v1/actions/{actionId}": {
    request: { params: { "actionId": string }; headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Session"?: string | undefined } }
    answer: Schemas["ActionDetail"]
  }
  /** Decide several staged writes */
  "POST /v1/actions/decide": {
    request: { headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Role"?: string | undefined; "X-Service-User-Session"?: string | undefined }; body: Schemas["DecideRequest"] }
    answer: Schemas["DecideAnswer"]
  }
  /** Ask a question and get the whole answer */
  "POST /v1/chat": {
    request: { headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Role"?: string | undefined; "X-Service-Scope-Id"?: string | undefined; "X-Client-Surface"?: string | undefined; "X-Service-Customer-Token"?: string | undefined; "X-Service-Upstream-Token"?: string | undefined }; body: Schemas["ChatRequest"] }
    answer: Schemas["ChatAnswer"]
  }
  /** Ask a question and stream the answer */
  "POST /v1/chat/stream": {
    request: { query?: { "protocol"?: "ui-message" | undefined }; headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Role"?: string | undefined; "X-Service-Scope-Id"?: string | undefined; "X-Client-Surface"?: string | undefined; "X-Service-Customer-Token"?: string | undefined; "X-Service-Upstream-Token"?: string | undefined }; body?: Schemas["ChatStreamRequest"] }
    answer: string
    event: Schemas["ChatFrame"] | Schemas["WatchFrame"]
  }
  /** Give the assistant a goal */
  "POST /v1/agent": {
    request: { headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Role"?: string | undefined; "X-Service-Scope-Id"?: string | undefined; "X-Client-Surface"?: string | undefined; "X-Service-Customer-Token"?: string | undefined; "X-Service-Upstream-Token"?: string | undefined }; body: Schemas["AgentRequest"] }
    answer: Schemas["ChatAnswer"]
  }
  /** Ask a question about a period */
  "POST /v1/insights": {
    request: { headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Role"?: string | undefined; "X-Service-Scope-Id"?: string | undefined; "X-Client-Surface"?: string | undefined; "X-Service-Customer-Token"?: string | undefined; "X-Service-Upstream-Token"?: string | undefined }; body?: Schemas["InsightsRequest"] }
    answer: Schemas["ChatAnswer"]
  }
  /** Stop a running turn */
  "DELETE /v1/chat/turns/{requestId}": {
    request: { params: { "requestId": string } }
    answer: Schemas["TurnStopped"]
  }
  /** Delete a conversation */
  "DELETE /v1/chat/sessions/{sessionId}": {
    request: { params: { "sessionId": string } }
    answer: Schemas["SessionDeleted"]
  }
  /** Delete every conversation of a customer */
  "DELETE /v1/customers/{customerId}": {
    request: { params: { "customerId": string } }
    answer: Schemas["CustomerErased"]
  }
  /** Rate an answer */
  "POST /v1/chat/feedback": {
    request: { headers?: { "X-Service-Customer-Token"?: string | undefined; "X-Service-Upstream-Token"?: string | undefined }; body: Schemas["FeedbackRequest"] }
    answer: Schemas["FeedbackRecorded"]
  }
  /** List the ratings, newest first */
  "GET /v1/chat/feedback": {
    request: { query?: { "rating"?: "up" | "down" | undefined; "limit"?: number | undefined } }
    answer: Schemas["FeedbackList"]
  }
  /** Conversations, newest first */
  "GET /v1/conversations": {
    request: { query?: { "from"?: string | undefined; "to"?: string | undefined; "handedOff"?: "true" | "false" | undefined; "rating"?: "up" | "down" | undefined; "customer"?: string | undefined; "limit"?: number | undefined; "before"?: string | undefined } }
    answer: Schemas["ConversationList"]
  }
  /** One conversation: what was said, called and proposed, and what became of it */
  "GET /v1/conversations/{sessionId}": {
    request: { params: { "sessionId": string }; query?: { "limit"?: number | undefined; "before"?: string | undefined } }
    answer: Schemas["Transcript"]
  }
  /** Erase a conversation */
  "DELETE /v1/conversations/{sessionId}": {
    request: { params: { "sessionId": string } }
    answer: Schemas["SessionDeleted"]
  }
  /** Answer the visitor as a person */
  "POST /v1/conversations/{sessionId}/messages": {
    request: { params: { "sessionId": string }; body: Schemas["MessageRequest"] }
    answer: Schemas["MessageSent"]
  }
  /** Take a conversation over from the assistant */
  "POST /v1/conversations/{sessionId}/takeover": {
    request: { params: { "sessionId": string }; body?: Schemas["TakeoverRequest"] }
    answer: Schemas["Takeover"]
  }
  /** Give a conversation back to the assistant */
  "POST /v1/conversations/{sessionId}/release": {
    request: { params: { "sessionId": string } }
    answer: Schemas["Takeover"]
  }
  /** Try the catalog on cases that say what should be chosen */
  "POST /v1/tools/trials": {
    request: { headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Role"?: string | undefined; "X-Service-Scope-Id"?: string | undefined; "X-Service-Customer-Token"?: string | undefined; "X-Service-Upstream-Token"?: string | undefined }; body: Schemas["TrialsRequest"] }
    answer: Schemas["TrialsAnswer"]
  }
  /** Invite somebody to decide */
  "POST /v1/users/invitations": {
    request: { body: Schemas["InvitationRequest"] }
    answer: Schemas["Invited"]
  }
  /** Ask for a link to sign in with */
  "POST /v1/user-sessions/sign-in": {
    request: { body: Schemas["SignInRequest"] }
    answer: Schemas["SignInAccepted"]
  }
  /** Open a session with a mailed link */
  "POST /v1/user-sessions": {
    request: { body: Schemas["OpenSessionRequest"] }
    answer: Schemas["OpenedSession"]
  }
  /** Who is signed in */
  "GET /v1/user-sessions/current": {
    request: { headers?: { "X-Service-User-Session"?: string | undefined } }
    answer: Schemas["UserSession"]
  }
  /** Sign out */
  "DELETE /v1/user-sessions/current": {
    request: { headers?: { "X-Service-User-Session"?: string | undefined } }
    answer: Schemas["SessionClosed"]
  }
  /** The registered people */
  "GET /v1/users": {
    request: {  }
    answer: Schemas["UserList"]
  }
  /** Register people, or change those who are registered */
  "PUT /v1/users": {
    request: { body: Schemas["UsersRequest"] }
    answer: Schemas["UsersRegistered"]
  }
  /** Remove a person */
  "DELETE /v1/users/{personId}": {
    request: { params: { "personId": number } }
    answer: Schemas["UserRemoved"]
  }
  /** Who must approve what */
  "GET /v1/policy": {
    request: {  }
    answer: Schemas["Policy"]
  }
  /** Register an approval policy in place of the present one */
  "PUT /v1/policy": {
    request: { query?: { "mode"?: "shadow" | undefined }; body: Schemas["PolicyRequest"] }
    answer: Schemas["PolicyRegistered"]
  }
  /** Approve without a policy from now on */
  "DELETE /v1/policy": {
    request: { query?: { "mode"?: "shadow" | undefined } }
    answer: Schemas["PolicyDeleted"]
  }
  /** Where the policy in shadow would have decided otherwise */
  "GET /v1/policy/shadow": {
    request: { query?: { "before"?: number | undefined; "limit"?: number | undefined } }
    answer: Schemas["PolicyInShadow"]
  }
  /** Find the pieces of the documents that fit a question */
  "GET /v1/knowledge/search": {
    request: { query: { "q": string; "limit"?: number | undefined } }
    answer: Schemas["KnowledgeHits"]
  }
  /** Keep a document, from which the assistant answers */
  "POST /v1/knowledge": {
    request: { body: Schemas["KnowledgeRequest"] }
    answer: Schemas["KnowledgeStored"]
  }
  /** The documents, by name */
  "GET /v1/knowledge": {
    request: {  }
    answer: Schemas["KnowledgeList"]
  }
  /** One document with its text */
  "GET /v1/knowledge/{name}": {
    request: { params: { "name": string } }
    answer: Schemas["KnowledgeRead"]
  }
  /** Delete a document */
  "DELETE /v1/knowledge/{name}": {
    request: { params: { "name": string } }
    answer: Schemas["KnowledgeDeleted"]
  }
  /** Get the widget’s key and the snippet to paste into a page */
  "POST /v1/embed": {
    request: { body?: Schemas["EmbedRequest"] }
    answer: Schemas["EmbedSnippet"]
  }
  /** Replace the widget’s key; the old one stops at once */
  "POST /v1/embed/rotate": {
    request: { body?: Schemas["EmbedRequest"] }
    answer: Schemas["EmbedSnippet"]
  }
  /** Mail the instructions to whoever looks after the pages */
  "POST /v1/embed/instructions": {
    request: { body: Schemas["EmbedInstructionsRequest"] }
    answer: Schemas["EmbedInstructions"]
  }
  /** Check a page: is the widget there, and can it work */
  "POST /v1/embed/check": {
    request: { body: Schemas["SiteCheckRequest"] }
    answer: Schemas["SiteCheck"]
  }
  /** Read where the widget may be used */
  "GET /v1/origins": {
    request: {  }
    answer: Schemas["OriginList"]
  }
  /** Register where the widget may be used, replacing the current lists */
  "PUT /v1/origins": {
    request: { body: Schemas["OriginsRequest"] }
    answer: Schemas["OriginsStored"]
  }
  /** Read how the widget looks, for the widget itself */
  "GET /v1/chat/brand": {
    request: {  }
    answer: Schemas["Brand"]
  }
  /** Change how the widget looks */
  "PUT /v1/chat/brand": {
    request: { body?: Schemas["BrandRequest"] }
    answer: Schemas["Brand"]
  }
  /** List what happened to staged writes, oldest first */
  "GET /v1/audit": {
    request: { query?: { "decision"?: "proposed" | "approved" | "rejected" | "expired" | "executed" | "failed" | "replayed" | "superseded" | "prohibited" | "precondition_failed" | "precondition_error" | "provider_refused" | "verified" | "unverified" | undefined; "actionId"?: string | undefined; "tool"?: string | undefined; "user"?: string | undefined; "subject"?: string | undefined; "scope"?: number | undefined; "from"?: string | undefined; "to"?: string | undefined; "after"?: number | undefined; "limit"?: number | undefined } }
    answer: Schemas["AuditEvents"]
  }
  /** Export the trail with its chain, to check it without trusting this service */
  "GET /v1/audit/export": {
    request: { query?: { "from"?: string | undefined; "to"?: string | undefined; "after"?: number | undefined; "limit"?: number | undefined } }
    answer: string
  }
  /** Check the chain: that nothing was changed, removed or inserted */
  "GET /v1/audit/verify": {
    request: { query?: { "from"?: string | undefined; "to"?: string | undefined } }
    answer: Schemas["AuditVerification"]
  }
  /** Read where events go, and how the last deliveries ended */
  "GET /v1/events/webhook": {
    request: {  }
    answer: Schemas["EventsWebhook"]
  }
  /** Set or clear where events go */
  "PUT /v1/events/webhook": {
    request: { body: Schemas["EventsWebhookRequest"] }
    answer: Schemas["EventsWebhook"]
  }
  /** List every attempt to deliver an event, newest first */
  "GET /v1/events/deliveries": {
    request: { query?: { "failed"?: "true" | "false" | undefined; "event"?: string | undefined; "actionId"?: string | undefined; "eventId"?: string | undefined; "before"?: number | undefined; "limit"?: number | undefined } }
    answer: Schemas["Deliveries"]
  }
  /** Send one signed test.ping now, and show the receiver’s answer */
  "POST /v1/events/test": {
    request: { headers?: { "X-Service-Scope-Id"?: string | undefined } }
    answer: Schemas["TestDelivery"]
  }
  /** Send an undelivered event again */
  "POST /v1/events/{eventId}/redeliver": {
    request: { params: { "eventId": string } }
    answer: Schemas["Redelivery"]
  }
  /** Read what became of conversations and proposals */
  "GET /v1/outcomes": {
    request: { query?: { "from"?: string | undefined; "to"?: string | undefined } }
    answer: Schemas["Outcomes"]
  }
  /** Read the same for each day */
  "GET /v1/outcomes/daily": {
    request: { query?: { "from"?: string | undefined; "to"?: string | undefined } }
    answer: Schemas["OutcomesDaily"]
  }
  /** The words by which people speak of each domain */
  "GET /v1/domain-pack": {
    request: {  }
    answer: Schemas["DomainPack"]
  }
  /** Replace the words of all domains */
  "PUT /v1/domain-pack": {
    request: { body: Schemas["DomainPackRequest"] }
    answer: Schemas["DomainPack"]
  }
  /** Suggest words for a person to accept */
  "POST /v1/domain-pack/suggestions": {
    request: { body: Schemas["DomainSuggestionRequest"] }
    answer: Schemas["DomainSuggestion"]
  }
  /** List suggestions */
  "GET /v1/domain-pack/suggestions": {
    request: { query?: { "status"?: string | undefined; "limit"?: number | undefined; "before"?: string | undefined } }
    answer: Schemas["DomainSuggestionList"]
  }
  /** Put a suggestion’s words into the pack */
  "POST /v1/domain-pack/suggestions/{suggestionId}/accept": {
    request: { params: { "suggestionId": string }; body?: Schemas["DomainSuggestionAcceptance"] }
    answer: Schemas["DomainSuggestionAccepted"]
  }
  /** Leave a suggestion out */
  "POST /v1/domain-pack/suggestions/{suggestionId}/dismiss": {
    request: { params: { "suggestionId": string } }
    answer: Schemas["DomainSuggestionDismissed"]
  }
  /** Create a tenant */
  "POST /v1/tenants": {
    request: { body: Schemas["TenantRequest"] }
    answer: Schemas["NewTenant"]
  }
  /** List the tenants, oldest first */
  "GET /v1/tenants": {
    request: { query?: { "limit"?: number | undefined; "after"?: number | undefined } }
    answer: Schemas["TenantList"]
  }
  /** Read one tenant, with its live keys, budget and spend */
  "GET /v1/tenants/{id}": {
    request: { params: { "id": number } }
    answer: Schemas["TenantDetail"]
  }
  /** Change a tenant’s name, plan, moderation, budget or provider */
  "PATCH /v1/tenants/{id}": {
    request: { params: { "id": number }; body?: Schemas["TenantPatch"] }
    answer: Schemas["TenantDetail"]
  }
  /** Delete a tenant and everything in it */
  "DELETE /v1/tenants/{id}": {
    request: { params: { "id": number }; body?: {
      "confirm"?: string | undefined
    } }
    answer: Schemas["Deletion"]
  }
  /** Make a tenant a provider of other tenants */
  "POST /v1/tenants/{id}/provider": {
    request: { params: { "id": number }; body?: {
      "label"?: string | undefined
    } }
    answer: Schemas["ProviderKey"]
  }
  /** Withdraw provider authority */
  "DELETE /v1/tenants/{id}/provider": {
    request: { params: { "id": number } }
    answer: Schemas["ProviderRevoked"]
  }
  /** Issue a key for a tenant */
  "POST /v1/keys": {
    request: { body: Schemas["OperatorKeyRequest"] }
    answer: Schemas["OperatorIssuedKey"]
  }
  /** Revoke a key of any tenant and any kind */
  "DELETE /v1/keys/{prefix}": {
    request: { params: { "prefix": string }; query?: { "tenantId"?: number | undefined } }
    answer: Schemas["RevokedKey"]
  }
  /** Read the figures of this process in the format of Prometheus */
  "GET /v1/operator/metrics": {
    request: {  }
    answer: string
  }
  /** The catalog as an MCP server */
  "POST /mcp": {
    request: { headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Role"?: string | undefined; "X-Service-Scope-Id"?: string | undefined; "X-Service-Customer-Token"?: string | undefined; "X-Service-Upstream-Token"?: string | undefined }; body: Schemas["McpMessages"] }
    answer: Schemas["McpAnswer"] | string
  }
  /** The assistant, as the one model that there is */
  "GET /v1/openai/models": {
    request: {  }
    answer: Schemas["OpenAiModels"]
  }
  /** Ask a question as a client of OpenAI does */
  "POST /v1/openai/chat/completions": {
    request: { headers?: { "X-Service-User-Id"?: string | undefined; "X-Service-User-Role"?: string | undefined; "X-Service-Scope-Id"?: string | undefined; "X-Client-Surface"?: string | undefined; "X-Service-Customer-Token"?: string | undefined; "X-Service-Upstream-Token"?: string | undefined }; body: Schemas["OpenAiRequest"] }
    answer: Schemas["OpenAiCompletion"]
  }
  /** The page that a confirmation link opens */
  "GET /account/confirm": {
    request: { query?: { "lang"?: string | undefined; "confirm"?: string | undefined; "recover"?: string | undefined; "verify"?: string | undefined } }
    answer: string
  }
  /** The page that a recovery link opens */
  "GET /account/recover": {
    request: { query?: { "lang"?: string | undefined; "confirm"?: string | undefined; "recover"?: string | undefined; "verify"?: string | undefined } }
    answer: string
  }
  /** The page that the link of a claimed sandbox opens */
  "GET /account/verify": {
    request: { query?: { "lang"?: string | undefined; "confirm"?: string | undefined; "recover"?: string | undefined; "verify"?: string | undefined } }
    answer: string
  }
  /** The page on which people decide */
  "GET /inbox": {
    request: { query?: { "lang"?: string | undefined; "before"?: string | undefined; "said"?: string | undefined; "for"?: string | undefined; "action"?: string | undefined } }
    answer: string
  }
  /** The widget */
  "GET /widget/service-assistant.js": {
    request: {  }
    answer: string
  }
  /** The current build of the widget */
  "GET /widget/build": {
    request: {  }
    answer: Schemas["WidgetBuild"]
  }
  /** One build of the widget, for ever */
  "GET /widget/pinned/{file}": {
    request: { params: { "file": string } }
    answer: string
  }
  /** This reference as OpenAPI 3.1 */
  "GET /openapi": {
    request: {  }
    answer: Record<string, unknown>
  }
  /** This reference as a page */
  "GET /swagger": {
    request: {  }
    answer: string
  }
  /** Make a catalog from an OpenAPI document */
  "POST /v1/tools/import": {
    request: { body: Schemas["ImportRequest"] }
    answer: Schemas["Imported"]
  }
  /** Change with what the imported API is called */
  "PATCH /v1/tools/api": {
    request: { body?: Schemas["ApiChange"] }
    answer: Schemas["ApiShown"]
  }
  /** The MCP servers whose tools are a part of the catalog */
  "GET /v1/upstreams": {
    request: {  }
    answer: Schemas["Upstreams"]
  }
  /** One MCP server, after a look at what it is now */
  "GET /v1/upstreams/{name}": {
    request: { params: { "name": string } }
    answer: Schemas["Upstream"]
  }
  /** Make the tools of an MCP server a part of the catalog */
  "PUT /v1/upstreams/{name}": {
    request: { params: { "name": string }; body: Schemas["UpstreamRequest"] }
    answer: Schemas["UpstreamRegistered"]
  }
  /** Take the tools of an MCP server out of the catalog */
  "DELETE /v1/upstreams/{name}": {
    request: { params: { "name": string } }
    answer: Schemas["UpstreamRemoved"]
  }
  /** Where writes are posted in Slack */
  "GET /v1/notifications/slack": {
    request: {  }
    answer: Schemas["SlackChannel"]
  }
  /** Post writes that wait in Slack, where people decide them */
  "PUT /v1/notifications/slack": {
    request: { body?: Schemas["SlackRequest"] }
    answer: Schemas["SlackChannel"]
  }
  /** Post nothing more in Slack */
  "DELETE /v1/notifications/slack": {
    request: {  }
    answer: Schemas["ChannelRemoved"]
  }
  /** Where writes are posted in Teams */
  "GET /v1/notifications/teams": {
    request: {  }
    answer: Schemas["TeamsChannel"]
  }
  /** Post writes that wait in Teams */
  "PUT /v1/notifications/teams": {
    request: { body: Schemas["TeamsRequest"] }
    answer: Schemas["TeamsChannel"]
  }
  /** Post nothing more in Teams */
  "DELETE /v1/notifications/teams": {
    request: {  }
    answer: Schemas["ChannelRemoved"]
  }
  /** Send a message to Slack, to see it arrive */
  "POST /v1/notifications/slack/test": {
    request: {  }
    answer: Schemas["ChannelTested"]
  }
  /** Send a card to Teams, to see it arrive */
  "POST /v1/notifications/teams/test": {
    request: {  }
    answer: Schemas["ChannelTested"]
  }
  /** Read the public website of the workspace, so that its assistant answers from it */
  "POST /v1/preview": {
    request: { body: Schemas["PreviewRequest"] }
    answer: Schemas["PreviewStored"]
  }
  /** What is held of the website, and whether the assistant answers from it alone */
  "GET /v1/preview": {
    request: {  }
    answer: Schemas["Preview"]
  }
  /** Forget the website */
  "DELETE /v1/preview": {
    request: {  }
    answer: Schemas["PreviewDeleted"]
  }
  /** Try the assistant of a public website, without signing up */
  "POST /v1/preview/sandbox": {
    request: { body: Schemas["SandboxRequest"] }
    answer: Schemas["SandboxOpened"]
  }
  /** How far the site has been read, and what is left of the sandbox */
  "GET /v1/preview/sandbox": {
    request: {  }
    answer: Schemas["SandboxStatus"]
  }
  /** Keep the sandbox as a workspace */
  "POST /v1/preview/sandbox/claim": {
    request: { body: Schemas["ClaimRequest"] }
    answer: Schemas["Signup"] | Schemas["ClaimAccepted"]
  }
  /** The page on which a stranger tries the assistant of a website */
  "GET /try": {
    request: { query?: { "lang"?: string | undefined; "mailed"?: string | undefined } }
    answer: string
  }
  /** Create a business */
  "POST /v1/provider/tenants": {
    request: { body: Schemas["BusinessRequest"] }
    answer: Schemas["NewBusiness"]
  }
  /** List your businesses, oldest first */
  "GET /v1/provider/tenants": {
    request: { query?: { "limit"?: number | undefined; "after"?: number | undefined } }
    answer: Schemas["BusinessList"]
  }
  /** Read one of your businesses */
  "GET /v1/provider/tenants/{id}": {
    request: { params: { "id": number } }
    answer: Schemas["Business"]
  }
  /** Delete one of your businesses and everything in it */
  "DELETE /v1/provider/tenants/{id}": {
    request: { params: { "id": number }; body?: {
      "confirm"?: string | undefined
    } }
    answer: Schemas["Deletion"]
  }
  /** List the keys of one of your businesses, including revoked ones */
  "GET /v1/provider/tenants/{id}/keys": {
    request: { params: { "id": number } }
    answer: Schemas["KeyList"]
  }
  /** Issue a key for one of your businesses */
  "POST /v1/provider/tenants/{id}/keys": {
    request: { params: { "id": number }; body: Schemas["KeyRequest"] }
    answer: Schemas["IssuedKey"]
  }
  /** Replace a key of one of your businesses with a new one of the same kind and label */
  "POST /v1/provider/tenants/{id}/keys/{prefix}/rotate": {
    request: { params: { "id": number; "prefix": string } }
    answer: Schemas["RotatedKey"]
  }
  /** Revoke a key of one of your businesses */
  "DELETE /v1/provider/tenants/{id}/keys/{prefix}": {
    request: { params: { "id": number; "prefix": string } }
    answer: Schemas["RevokedKey"]
  }
  /** Push parts of your own configuration to your businesses */
  "PUT /v1/provider/configuration": {
    request: { body: Schemas["ConfigurationRequest"] }
    answer: Schemas["ConfigurationResults"] | Schemas["PushAccepted"]
  }
  /** Read how far a push is, and what became of it in each business */
  "GET /v1/provider/configuration/pushes/{pushId}": {
    request: { params: { "pushId": string } }
    answer: Schemas["Push"]
  }
  /** Read what your businesses used, by business and together */
  "GET /v1/provider/usage": {
    request: { query?: { "from"?: string | undefined; "to"?: string | undefined; "limit"?: number | undefined; "after"?: number | undefined } }
    answer: Schemas["Usage"]
  }
  /** List the keys that sign in the people of all your businesses */
  "GET /v1/provider/inbox-keys": {
    request: {  }
    answer: Schemas["KeyList"]
  }
  /** Issue a key that signs in the people of all your businesses */
  "POST /v1/provider/inbox-keys": {
    request: { body?: Schemas["InboxKeyRequest"] }
    answer: Schemas["IssuedKey"]
  }
  /** Revoke a key that signs in the people of all your businesses */
  "DELETE /v1/provider/inbox-keys/{prefix}": {
    request: { params: { "prefix": string } }
    answer: Schemas["RevokedKey"]
  }
  /** Take the calls and events that wait for a listener on your machine */
  "POST /v1/listening/requests": {
    request: { body: Schemas["ListenRequest"] }
    answer: Schemas["Listened"]
  }
  /** Say what your machine answered */
  "POST /v1/listening/answers": {
    request: { body: Schemas["ListenAnswers"] }
    answer: Schemas["ListenTaken"]
  }
  /** The documents */
  "GET /docs": {
    request: {  }
    answer: string
  }
  /** Searches the documents */
  "GET /docs/search": {
    request: { query?: { "q"?: string | undefined } }
    answer: string
  }
  /** The list of the documents, for a language model */
  "GET /llms.txt": {
    request: {  }
    answer: string
  }
  /** All documents that an integrator needs, in one text */
  "GET /llms-full.txt": {
    request: {  }
    answer: string
  }
  /** A page of the documents */
  "GET /docs/{page}": {
    request: { params: { "page": string } }
    answer: string
  }
  /** A page in a folder of the documents */
  "GET /docs/{folder}/{page}": {
    request: { params: { "folder": string; "page": string } }
    answer: string
  }
  /** The console of a workspace */
  "GET /console": {
    request: { query?: { "lang"?: string | undefined; "said"?: string | undefined } }
    answer: string
  }
  /** The page on which somebody creates a workspace */
  "GET /signup": {
    request: { query?: { "lang"?: string | undefined } }
    answer: string
  }
}

export type ErrorCode = "invalid_request" | "empty_prompt" | "invalid_image" | "invalid_feedback" | "invalid_period" | "invalid_upstream_token" | "confirmation_required" | "unknown_kind" | "invalid_intent" | "invalid_email" | "invalid_name" | "invalid_endpoint" | "invalid_source" | "invalid_suggestion" | "invalid_status" | "invalid_origin" | "too_many_origins" | "invalid_site_url" | "invalid_feed_url" | "site_refused" | "invalid_brand_color" | "invalid_brand_logo" | "invalid_knowledge_name" | "invalid_knowledge_format" | "knowledge_empty" | "disposable_email" | "invalid_link" | "link_expired" | "link_used" | "notification_refused" | "missing_api_key" | "invalid_api_key" | "invalid_customer_token" | "invalid_user_session" | "invalid_sign_in_link" | "invalid_signature" | "insufficient_scope" | "email_unconfirmed" | "origin_not_allowed" | "session_not_yours" | "not_a_provider" | "not_found" | "signup_disabled" | "knowledge_disabled" | "preview_disabled" | "sandbox_disabled" | "knowledge_document_not_found" | "unknown_key" | "tenant_not_found" | "not_a_child_tenant" | "push_not_found" | "user_not_found" | "action_not_found" | "unknown_tool" | "event_not_found" | "session_not_found" | "upstream_not_found" | "turn_not_found" | "suggestion_not_found" | "method_not_allowed" | "ambiguous_prefix" | "idempotency_conflict" | "key_limit_reached" | "last_secret_key" | "provisioned_tenant" | "email_already_used" | "feedback_in_flight" | "knowledge_document_exists" | "knowledge_limit_reached" | "user_link_conflict" | "user_email_ambiguous" | "already_confirmed" | "suggestion_not_pending" | "preview_in_progress" | "catalog_changed" | "sandbox_not_ready" | "sandbox_expired" | "batch_too_large" | "body_too_large" | "knowledge_too_large" | "unsupported_media_type" | "preview_empty" | "rate_limited" | "embed_mail_limit" | "invitation_limit" | "plan_quota_exceeded" | "sandbox_budget_exhausted" | "internal_error" | "secret_unreadable" | "signup_unavailable" | "sandbox_busy" | "sandbox_unavailable" | "mail_not_configured" | "notification_unavailable" | "database_unavailable" | "model_unavailable"

/** The codes of the error that may end a stream. */
export type FrameCode = "MODEL_UNAVAILABLE" | "RATE_LIMITED" | "ORG_DAILY_BUDGET_EXCEEDED" | "ORG_MONTHLY_BUDGET_EXCEEDED" | "GLOBAL_DAILY_BUDGET_EXCEEDED" | "GLOBAL_MONTHLY_BUDGET_EXCEEDED" | "CANCELED" | "TURN_TIMEOUT" | "TURN_LOST" | "DATABASE_UNAVAILABLE" | "INTERNAL_ERROR"

/** They take an `Idempotency-Key`, so that they may be sent again when their answer was lost. */
export const KEYED: readonly string[] = ["POST /v1/tools/{name}/call", "POST /v1/actions"]
