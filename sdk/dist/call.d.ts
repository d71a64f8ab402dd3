/** One call of a tool, as the service sends it. */
export type Call<Arguments = Readonly<Record<string, unknown>>> = {
    readonly type: 'tool_call';
    /** The idempotency key: of a write it never changes, however often the write is sent. */
    readonly request_id: string;
    readonly mode: 'read' | 'execute';
    readonly tool: string;
    readonly arguments: Arguments;
    readonly is_write: boolean;
    readonly tenant: {
        readonly organization_id: number;
        readonly scope_id: number | null;
    };
    readonly user: {
        readonly id: number | null;
        readonly role: string;
    };
    /** The verified customer. It comes from the customer's token, never from the model. */
    readonly customer: {
        readonly id: string;
    } | null;
    readonly session_id: string | null;
    readonly action_id: string | null;
    readonly occurred_at: string;
    /** The body as it came, for numbers with more digits than JavaScript keeps. */
    readonly raw: string;
};
export type EventName = 'action.pending' | 'action.reminder' | 'action.approved' | 'action.rejected' | 'action.expired' | 'action.executed' | 'action.verified' | 'action.unverified' | 'action.precondition_failed' | 'action.provider_refused' | 'conversation.handoff' | 'conversation.message' | 'test.ping';
/** What happened, as the service tells it. Nothing is to be run for it. */
export type TetherEvent = {
    readonly type: 'event';
    readonly event: EventName;
    /** The same for every attempt to deliver this event. */
    readonly request_id: string;
    /** When it happened: the member to order by. */
    readonly occurred_at: string;
    readonly tenant: {
        readonly organization_id: number;
        readonly scope_id: number | null;
    };
    readonly action_id: string | null;
    readonly session_id: string | null;
    readonly tool: string | null;
    readonly reason?: string;
    readonly summary?: string;
    readonly trigger?: string;
    /** What the visitor said, of the events of a conversation. */
    readonly text?: string;
    /** The verified customer who said it. */
    readonly customer_id?: string | null;
    readonly language?: 'ka' | 'en';
    readonly message_id?: string;
    readonly expires_at?: string;
    readonly reminder?: boolean;
};
/** What came, when it is something that we know how to treat. */
export type Received = {
    readonly kind: 'call';
    readonly call: Call;
} | {
    readonly kind: 'event';
    readonly event: TetherEvent;
}
/** `POST /v1/endpoint/test`: to be acknowledged, and nothing else. */
 | {
    readonly kind: 'test';
}
/** `npm run recover` of the service: which writes were claimed. */
 | {
    readonly kind: 'listing';
    readonly listing: Listing;
};
/** Which claims the operator of the service asks for, after a database that lost its last transactions. */
export type Listing = {
    readonly tenant: {
        readonly organization_id: number;
    };
    readonly arguments: {
        readonly since: string;
        readonly after: string;
    };
};
/**
 * Null for what is signed and yet none of these: a newer service, somebody who has the secret, or a body that was signed for an
 * imported API and handed on to here. So nothing counts as a call or an event that lacks a part of one.
 */
export declare function readReceived(raw: string): Received | null;
