/** The settings of an audit. They have the names of the members of audit configurations. */
export interface AuditOptions {
  /** The audited server, for readers of several logs. */
  readonly component: string;
  /** Types of the events to write; undefined or empty: all. */
  readonly eventTypes?: readonly string[] | null | undefined;
  /** Types of events that are not written. They win over `eventTypes`. */
  readonly excludeEventTypes?: readonly string[] | null | undefined;
  /** Whether events have the message of the request, without secrets. */
  readonly includeRequestData?: boolean | undefined;
  /** Whether events have the response to it, without secrets. */
  readonly includeResponseData?: boolean | undefined;
  /** Whether errors in responses of status 200 are `application_error`. Default true. */
  readonly detectApplicationErrors?: boolean | undefined;
  /** Maximum size of a message in an event, in bytes; a larger one is left out. Default 1,024. */
  readonly maxDataSize?: number | undefined;
  /** Receives each line with its line end. It must neither throw nor wait. */
  readonly write: (line: string) => void;
}
