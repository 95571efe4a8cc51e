import { containerBody, labelFilters, workloadLabels } from './container-shape.ts';
import { listContainers, removeContainer } from './containers.ts';
import { messageOf, WorkloadFailure } from './failure.ts';
import { shakeHands } from './readiness.ts';
import { startStdioContainer, type StdioContainer } from './stdio-container.ts';
import {
  describeEnd,
  EXCERPT_LINES,
  explain,
  type ServerContext,
  type ServerEnd,
  type WorkloadServer,
} from './workload-server.ts';
import { onNetwork } from './workload-networks.ts';

/**
 * A server that is spoken to over standard streams: a container for every process that the bridge
 * asks for. One more is kept warm, so that a session does not wait for a start, and so that a
 * server that cannot run is noticed before anybody calls.
 */
export class StdioServer implements WorkloadServer {
  readonly #context: ServerContext;
  readonly #errors: (data: Buffer) => void;
  readonly #running = new Set<StdioContainer>();
  #spare: StdioContainer | undefined;
  #failed: ((end: ServerEnd) => void) | undefined;
  #number = 0;
  #tail: Buffer = Buffer.alloc(0);

  /** @param errors takes what the servers write to stderr */
  constructor(context: ServerContext, errors: (data: Buffer) => void) {
    this.#context = context;
    this.#errors = errors;
  }

  async start(timeoutMs: number, progress: (text: string) => void, abort: AbortSignal): Promise<void> {
    const { engine, home, config } = this.#context;
    const deadline = performance.now() + timeoutMs;
    try {
      // Containers of an earlier supervisor: nobody holds their streams any more.
      const left = await listContainers(engine, labelFilters(home, config.name));
      await Promise.all(left.map(({ id }) => removeContainer(engine, id)));
      progress('starting the container');
      const probe = await this.#open();
      progress('waiting for the server to answer');
      try {
        await shakeHands(probe, Math.max(1, deadline - performance.now()), abort);
      } catch (error) {
        abort.throwIfAborted();
        throw await this.#unanswered(probe, error, timeoutMs);
      } finally {
        void probe
          .stop()
          .catch((error: unknown) =>
            this.#context.log(`the first container could not be stopped: ${messageOf(error)}`),
          );
      }
      abort.throwIfAborted();
      this.#spare = await this.#open();
      this.#watch(this.#spare);
    } catch (error) {
      await this.stop(0);
      abort.throwIfAborted();
      throw explain(error, config, this.#excerpt());
    }
  }

  ended(): Promise<ServerEnd> {
    return new Promise((resolve) => {
      this.#failed = resolve;
    });
  }

  /** Its containers remove themselves: one that is gone says nothing. */
  wasRemoved(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async stop(_graceSeconds: number): Promise<void> {
    this.#spare = undefined;
    await Promise.allSettled([...this.#running].map((container) => container.stop()));
  }

  /** A process for one or more sessions: the warm one, which is replaced at once, or a new one. */
  async open(): Promise<StdioContainer> {
    const spare = this.#spare;
    if (spare === undefined) return this.#open();
    this.#spare = undefined;
    this.#open().then(
      (next) => {
        this.#spare = next;
        this.#watch(next);
      },
      (error: unknown) => this.#context.log(`no container could be kept warm: ${messageOf(error)}`),
    );
    return spare;
  }

  async #open(): Promise<StdioContainer> {
    const { home, config, engine } = this.#context;
    return onNetwork(this.#context, async (network) => {
      this.#number += 1;
      const name = `${config.container_name}-${process.pid.toString(36)}-${this.#number}`;
      const body = containerBody(config, workloadLabels(home, config), network, 'none');
      const container = await startStdioContainer(engine, name, body, {
        errors: (data) => this.#take(data),
        warn: this.#context.log,
      });
      this.#running.add(container);
      void container.ended.finally(() => this.#running.delete(container));
      return container;
    });
  }

  /** The workload has ended when its warm container ended without having been given to anybody. */
  #watch(container: StdioContainer): void {
    void container.ended.then((end) => {
      if (this.#spare !== container) return;
      this.#spare = undefined;
      this.#failed?.(end);
    });
  }

  async #unanswered(probe: StdioContainer, error: unknown, timeoutMs: number): Promise<WorkloadFailure> {
    const name = this.#context.config.name;
    const timedOut = Symbol('running');
    const end = await Promise.race([probe.ended, new Promise<typeof timedOut>((go) => setTimeout(go, 100, timedOut))]);
    if (end === timedOut) {
      return new WorkloadFailure(
        'failed',
        `${name} did not answer within ${timeoutMs / 1000} s: ${messageOf(error)}`,
        ['--transport streamable-http   when the server listens on a port'],
        error,
        this.#excerpt(),
      );
    }
    return new WorkloadFailure(
      'failed',
      `${name} did not start: ${describeEnd(end)} before it answered`,
      [],
      error,
      this.#excerpt(),
    );
  }

  #take(data: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, data]).subarray(-4096);
    this.#errors(data);
  }

  #excerpt(): string[] {
    return this.#tail
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-EXCERPT_LINES);
  }
}
