/** A message on its way through webhooks. */
export interface WebhookMessage {
  /** The JSON text of the request or notification. */
  readonly text: string;
  /** The claims of the caller; undefined without authentication. */
  readonly claims: Readonly<Record<string, unknown>> | undefined;
  /** Address and port of the client. */
  readonly source: string;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

/** The result of webhooks: the text to go on with, or the answer to the client. */
export type WebhookVerdict =
  | { readonly kind: 'allowed'; readonly text: string }
  | { readonly kind: 'refused'; readonly status: number; readonly code: number; readonly message: string };

/** Asks the webhooks of one kind. It never rejects. */
export type AskWebhooks = (message: WebhookMessage) => Promise<WebhookVerdict>;

/** The opened webhooks of a proxy. */
export interface Webhooks {
  /** Undefined: there is none. */
  readonly mutate: AskWebhooks | undefined;
  readonly validate: AskWebhooks | undefined;
  /** Ends the connections; calls in flight fail. */
  close(): Promise<void>;
}
