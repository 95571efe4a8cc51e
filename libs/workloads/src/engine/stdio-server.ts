import { resolveContainerMounts } from '../configuration/configured-mounts.ts';
import { createContainerSpec, createLabelFilters, createWorkloadLabels } from './container-spec.ts';
import { listServerContainers, removeContainer } from './containers.ts';
import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';
import { probeStdioServer } from '../server/readiness.ts';
import { ResponseDetector, waitForResponse } from '../server/response-detector.ts';
import { OutputTail } from './output-tail.ts';
import { type OutputObserver, startStdioContainer, type StdioContainer } from './stdio-container.ts';
import {
  describeEnd,
  isKilled,
  type ServerConnection,
  type ServerEnd,
  type WorkloadServer,
} from '../runtime/workload-server.ts';
import type { ServerContext } from './server-context.ts';
import { toStartError } from './start-error.ts';
import { joinNetworks, withAttachment } from './network-attachment.ts';

/**
 * A server on standard streams. Each process that the bridge opens is one container. One spare
 * container is always running, so that a session does not wait for a start and a broken server is
 * detected without a call.
 */
export class StdioServer implements WorkloadServer {
  readonly #context: ServerContext;
  readonly #errors: (data: Buffer) => void;
  readonly #running = new Set<StdioContainer>();
  readonly #opening = new Set<Promise<StdioContainer>>();
  #spare: Promise<StdioContainer> | undefined;
  #hasAnswered = false;
  #onEnd: ((end: ServerEnd) => void) | undefined;
  #number = 0;
  /** The numbers of isolated networks in use. */
  readonly #slots = new Set<number>();
  /** The last errors of the container that was started first. */
  readonly #firstErrors = new OutputTail();

  /** @param errors receives the stderr of the servers */
  constructor(context: ServerContext, errors: (data: Buffer) => void) {
    this.#context = context;
    this.#errors = errors;
  }

  get connection(): ServerConnection {
    return { kind: 'stdio', openProcess: () => this.#openProcess() };
  }

  async start(timeoutMs: number, progress: (text: string) => void, abort: AbortSignal): Promise<void> {
    const { config } = this.#context;
    this.#hasAnswered = false;
    try {
      progress('starting the container');
      await this.#startFirst(timeoutMs, progress, abort);
      this.#hasAnswered = true;
      this.#spare ??= this.#openSpare();
      await this.#spare;
    } catch (error) {
      await this.stop(0);
      abort.throwIfAborted();
      throw toStartError(error, config, this.#firstErrors.listLines());
    }
  }

  /**
   * Starts the first container and waits until its server answers. A client that has connected
   * meanwhile gets the container, and its own `initialize` is the probe.
   */
  async #startFirst(timeoutMs: number, progress: (text: string) => void, abort: AbortSignal): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    const getRemainingMs = () => Math.max(1, deadline - performance.now());
    const response = new ResponseDetector();
    const opening = this.#removeLeft().then(() => this.#openFirst(response));
    this.#spare = opening;
    // The network of the next container; an error is reported by its start.
    void this.#context.isolation?.join(2).catch(() => undefined);
    let first = await opening;
    progress('waiting for the server to answer');
    try {
      if (this.#spare !== opening) {
        if (await waitForResponse(response, first.ended, getRemainingMs(), abort)) return;
        // The client has ended its process before the answer.
        first = await this.#openFirst(response);
      } else this.#spare = this.#openSpare();
      await probeStdioServer(first, getRemainingMs(), abort).finally(() => void this.#end(first));
    } catch (error) {
      abort.throwIfAborted();
      throw await this.#toProbeError(first, error, timeoutMs);
    }
    abort.throwIfAborted();
  }

  /** Removes the containers of an earlier supervisor, whose streams are closed. */
  async #removeLeft(): Promise<void> {
    const { engine, home, config } = this.#context;
    const left = await listServerContainers(engine, createLabelFilters(home, config.name));
    await Promise.all(left.map(({ id }) => removeContainer(engine, id)));
  }

  /** Ends the container of a probe, which no client can use. */
  async #end(container: StdioContainer): Promise<void> {
    await container
      .stop()
      .catch((error: unknown) =>
        this.#context.log(`the first container could not be stopped: ${getErrorMessage(error)}`),
      );
  }

  waitForEnd(): Promise<ServerEnd> {
    return new Promise((resolve) => {
      this.#onEnd = resolve;
    });
  }

  /** Always false: the engine removes its containers at their end. */
  wasRemoved(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async stop(_graceSeconds: number): Promise<void> {
    this.#spare = undefined;
    await Promise.allSettled(this.#opening);
    await Promise.allSettled([...this.#running].map((container) => container.stop()));
    await this.#context.isolation?.stop();
  }

  /** Opens a process: the spare container, which is then replaced, or a new one. */
  #openProcess(): Promise<StdioContainer> {
    const spare = this.#spare;
    if (spare === undefined) return this.#open();
    this.#spare = this.#hasAnswered ? this.#openSpare() : undefined;
    return spare;
  }

  /** Opens the container that shows whether the server works. */
  #openFirst(response: ResponseDetector): Promise<StdioContainer> {
    this.#firstErrors.clear();
    return this.#open({
      output: (data) => response.push(data),
      errors: (data) => this.#firstErrors.push(data),
    });
  }

  /** Opens a spare container. Its end is that of the server, unless a client has it. */
  #openSpare(): Promise<StdioContainer> {
    const opening = this.#open();
    const leave = () => {
      const isSpare = this.#spare === opening;
      if (isSpare) this.#spare = undefined;
      return isSpare;
    };
    opening.then(
      async ({ ended }) => {
        const end = await ended;
        if (leave()) this.#onEnd?.(end);
      },
      (error: unknown) => {
        leave();
        this.#context.log(`no spare container could be started: ${getErrorMessage(error)}`);
      },
    );
    return opening;
  }

  #open(observer?: OutputObserver): Promise<StdioContainer> {
    const opening = this.#create(observer);
    this.#opening.add(opening);
    const settle = () => this.#opening.delete(opening);
    opening.then(settle, settle);
    return opening;
  }

  async #create(observer: OutputObserver | undefined): Promise<StdioContainer> {
    const { home, config, engine, readSecrets } = this.#context;
    const slot = this.#takeSlot();
    try {
      const container = await withAttachment(this.#context, slot, async (attachment) => {
        this.#number += 1;
        const name = `${config.container_name}-${process.pid.toString(36)}-${this.#number}`;
        const body = createContainerSpec(config, createWorkloadLabels(home, config), attachment, 'none', {
          secrets: await readSecrets(),
          mounts: await resolveContainerMounts(config, home.folder),
        });
        return startStdioContainer(engine, name, body, {
          prepare: (id) => joinNetworks(engine, id, attachment),
          output: observer?.output,
          errors: (data) => {
            observer?.errors(data);
            this.#errors(data);
          },
          warn: this.#context.log,
        });
      });
      this.#running.add(container);
      void container.ended.then((end) => {
        this.#running.delete(container);
        this.#slots.delete(slot);
        if (isKilled(end)) this.#context.log(describeEnd(end));
      });
      return container;
    } catch (error) {
      this.#slots.delete(slot);
      throw error;
    }
  }

  /** Takes the lowest free number of an isolated network. */
  #takeSlot(): number {
    let slot = 1;
    while (this.#slots.has(slot)) slot += 1;
    this.#slots.add(slot);
    return slot;
  }

  async #toProbeError(probe: StdioContainer, error: unknown, timeoutMs: number): Promise<WorkloadError> {
    const name = this.#context.config.name;
    const timedOut = Symbol('running');
    const end = await Promise.race([probe.ended, new Promise<typeof timedOut>((go) => setTimeout(go, 100, timedOut))]);
    if (end === timedOut) {
      return new WorkloadError(
        'failed',
        `${name} did not answer within ${timeoutMs / 1000} s: ${getErrorMessage(error)}`,
        ['--transport streamable-http   when the server listens on a port'],
        error,
        this.#firstErrors.listLines(),
      );
    }
    return new WorkloadError(
      'failed',
      `${name} did not start: ${describeEnd(end)} before it answered`,
      [],
      error,
      this.#firstErrors.listLines(),
    );
  }
}
