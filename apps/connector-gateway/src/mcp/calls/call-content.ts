import type { RpcResponse } from '@gatehouse/mcp/json-rpc';
import { checkElicitationUrls, ForbiddenHostError } from '../content/elicitation-urls.ts';
import type { ConnectorContent } from '../content/content-controls.ts';
import { createRedactionError } from '../upstreams/redaction-failure.ts';
import type { Connector } from '../ports/snapshot.ts';
import { UpstreamUnavailableError } from '../upstreams/upstream-unavailable.ts';
import type { Plane } from './plane.ts';

/** The parts of the data plane that content controls need. */
type ContentPlane = Pick<Plane, 'directory' | 'log' | 'onRedacted'>;

/** Most messages of one request that wait for their redaction. Others are dropped or refused. */
const MAX_WAITING = 100;

/**
 * Applies the content controls of a connector to the messages of one request. The controls are
 * those of the moment of each message. Without controls each message passes at once, unchanged.
 */
export class CallContent {
  /** The end of the work that waits, undefined when nothing waits. */
  private tail: Promise<void> | undefined;
  private waiting = 0;

  constructor(
    private readonly plane: ContentPlane,
    private readonly connector: Connector,
  ) {}

  /**
   * Applies the controls to a message of the connector.
   * @throws UpstreamUnavailableError for a message that must not pass
   */
  receive<T extends object>(message: T): T | Promise<T> {
    const controls = this.findControls();
    if (controls === undefined) return message;
    const { hosts } = controls;
    return this.redact(controls, hosts === undefined ? message : this.checkUrls(message, hosts), true);
  }

  /** Applies the controls to the response of the connector. @throws UpstreamUnavailableError */
  async receiveResponse(response: RpcResponse): Promise<RpcResponse> {
    return 'error' in response
      ? { ...response, error: await this.receive(response.error) }
      : { ...response, result: await this.receive(response.result) };
  }

  /**
   * Applies the controls to a message for the connector.
   * @throws UpstreamUnavailableError for a message that must not pass
   */
  send<T extends object>(message: T): T | Promise<T> {
    const controls = this.findControls();
    return controls === undefined ? message : this.redact(controls, message, false);
  }

  /** Applies the controls to a response for the connector. @throws UpstreamUnavailableError */
  async sendResponse(response: RpcResponse): Promise<RpcResponse> {
    return 'error' in response
      ? { ...response, error: await this.send(response.error) }
      : { ...response, result: await this.send(response.result) };
  }

  /** Delivers a notification of the connector in the order of arrival. A failed one is dropped. */
  deliver<T extends object>(message: T, deliver: (message: T) => void): void {
    if (this.tail === undefined && this.findControls() === undefined) deliver(message);
    else if (this.waiting < MAX_WAITING) void this.inOrder(async () => deliver(await this.receive(message)));
  }

  /**
   * Passes a request of the connector on, in the order of arrival.
   * @param pass begins to pass it on at once; its end is not waited for
   * @throws UpstreamUnavailableError for a request that must not pass
   */
  async deliverRequest<T extends object, R>(message: T, pass: (message: T) => Promise<R>): Promise<R> {
    if (this.tail === undefined && this.findControls() === undefined) return pass(message);
    if (this.waiting >= MAX_WAITING)
      throw new UpstreamUnavailableError('asks faster than its questions can be redacted', { reached: true });
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    void this.inOrder(async () => {
      try {
        pass(await this.receive(message)).then(resolve, reject);
      } catch (error) {
        reject(error);
      }
    });
    return promise;
  }

  /** Runs work after the notifications that wait; at once if none does. */
  runInOrder(work: () => void): void {
    if (this.tail === undefined) work();
    else
      void this.inOrder(() => {
        work();
        return Promise.resolve();
      });
  }

  /** Waits for the notifications that arrived before; undefined if none waits. */
  settle(): Promise<void> | undefined {
    return this.tail;
  }

  private inOrder(work: () => Promise<void>): Promise<void> {
    this.waiting += 1;
    const done = (this.tail ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => this.reportDrop(error))
      .finally(() => {
        this.waiting -= 1;
        if (this.tail === done) this.tail = undefined;
      });
    this.tail = done;
    return done;
  }

  /** Messages that must not pass are not logged, since a server could fill the log with them. */
  private reportDrop(error: unknown): void {
    if (error instanceof UpstreamUnavailableError) return;
    this.plane.log.error({ connector: this.connector.id, err: error }, 'a message of a connector was lost');
  }

  private findControls(): ConnectorContent | undefined {
    return this.plane.directory.getRules()?.content.findOfConnector(this.connector.id);
  }

  private redact<T extends object>({ redaction }: ConnectorContent, message: T, isReceived: boolean): T | Promise<T> {
    if (redaction === undefined) return message;
    try {
      const redacted = redaction.redact(message, { owner: this.connector.id });
      if (!(redacted instanceof Promise)) return redacted.value;
      return redacted.then(
        ({ value, count }) => {
          this.plane.onRedacted(this.connector, count);
          return value;
        },
        (error: unknown) => {
          throw createRedactionError(error, isReceived);
        },
      );
    } catch (error) {
      throw createRedactionError(error, isReceived);
    }
  }

  private checkUrls<T extends object>(message: T, hosts: NonNullable<ConnectorContent['hosts']>): T {
    try {
      return checkElicitationUrls(message, hosts);
    } catch (error) {
      if (!(error instanceof ForbiddenHostError)) throw error;
      this.plane.log.warn({ connector: this.connector.id, reason: error.message }, 'URL elicitation was refused');
      throw new UpstreamUnavailableError(error.message, {
        reached: true,
        advice: 'Tell an administrator if the page is right, or go on without it.',
        cause: error,
      });
    }
  }
}
