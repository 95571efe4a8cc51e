/** One webhook. */
export interface WebhookOptions {
  readonly name: string;
  readonly url: string;
  /** Until the whole answer has arrived. */
  readonly timeoutMs: number;
  /** `ignore`: a request goes on where the webhook fails. A refusal is no failure. */
  readonly failurePolicy: 'fail' | 'ignore';
  /** PEM texts. Absent members: the authorities of the system, no certificate of the client. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string } | undefined;
  /** Whether plain HTTP, private addresses and every certificate are accepted. */
  readonly isInsecure?: boolean;
  /** Reads the secret of the signature, for each call. It may throw. */
  readonly getSecret?: (() => string) | undefined;
}

/** The webhooks of a proxy, each list in the order of its calls. */
export interface WebhooksOptions {
  readonly mutating: readonly WebhookOptions[];
  readonly validating: readonly WebhookOptions[];
  /** The name of the workload, for the receivers. */
  readonly serverName: string;
  readonly transport: string;
  /** Maximum size of a changed message in bytes. */
  readonly maxBodyBytes: number;
  readonly log: (line: { readonly level: 'info' | 'warn'; readonly message: string; readonly cause?: unknown }) => void;
}
