import { resolveContainerMounts } from '../configuration/configured-mounts.ts';
import { createContainerSpec, createLabelFilters, createWorkloadLabels } from './container-spec.ts';
import { listServerContainers, removeContainer } from './containers.ts';
import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';
import { probeStdioServer } from '../server/readiness.ts';
import { startStdioContainer, type StdioContainer } from './stdio-container.ts';
import { describeEnd, type ServerConnection, type ServerEnd, type WorkloadServer } from '../runtime/workload-server.ts';
import type { ServerContext } from './server-context.ts';
import { EXCERPT_LINES, toStartError } from './start-error.ts';
import { withAttachment } from './network-attachment.ts';

/**
 * A server on standard streams. Each process that the bridge opens is one container. One spare
 * container is always running, so that a session does not wait for a start and a broken server is
 * detected without a call.
 */
export class StdioServer implements WorkloadServer {
  readonly #context: ServerContext;
  readonly #errors: (data: Buffer) => void;
  readonly #running = new Set<StdioContainer>();
  #spare: StdioContainer | undefined;
  #onEnd: ((end: ServerEnd) => void) | undefined;
  #number = 0;
  /** The numbers of isolated networks in use. */
  readonly #slots = new Set<number>();
  #tail: Buffer = Buffer.alloc(0);

  /** @param errors receives the stderr of the servers */
  constructor(context: ServerContext, errors: (data: Buffer) => void) {
    this.#context = context;
    this.#errors = errors;
  }

  get connection(): ServerConnection {
    return { kind: 'stdio', openProcess: () => this.#openProcess() };
  }

  async start(timeoutMs: number, progress: (text: string) => void, abort: AbortSignal): Promise<void> {
    const { engine, home, config, isolation } = this.#context;
    const deadline = performance.now() + timeoutMs;
    try {
      // Removes the containers of an earlier supervisor, whose streams are closed.
      const left = await listServerContainers(engine, createLabelFilters(home, config.name));
      await Promise.all(left.map(({ id }) => removeContainer(engine, id)));
      progress('starting the container');
      const probe = await this.#open();
      progress('waiting for the server to answer');
      // The network of the next container; an error is reported by its start.
      void isolation?.join(2).catch(() => undefined);
      try {
        await probeStdioServer(probe, Math.max(1, deadline - performance.now()), abort);
      } catch (error) {
        abort.throwIfAborted();
        throw await this.#toProbeError(probe, error, timeoutMs);
      } finally {
        void probe
          .stop()
          .catch((error: unknown) =>
            this.#context.log(`the first container could not be stopped: ${getErrorMessage(error)}`),
          );
      }
      abort.throwIfAborted();
      this.#spare = await this.#open();
      this.#watch(this.#spare);
    } catch (error) {
      await this.stop(0);
      abort.throwIfAborted();
      throw toStartError(error, config, this.#excerpt());
    }
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
    await Promise.allSettled([...this.#running].map((container) => container.stop()));
    await this.#context.isolation?.stop();
  }

  /** Opens a process: the spare container, which is then replaced, or a new one. */
  async #openProcess(): Promise<StdioContainer> {
    const spare = this.#spare;
    if (spare === undefined) return this.#open();
    this.#spare = undefined;
    this.#open().then(
      (next) => {
        this.#spare = next;
        this.#watch(next);
      },
      (error: unknown) => this.#context.log(`no spare container could be started: ${getErrorMessage(error)}`),
    );
    return spare;
  }

  async #open(): Promise<StdioContainer> {
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
          errors: (data) => this.#take(data),
          warn: this.#context.log,
        });
      });
      this.#running.add(container);
      void container.ended.finally(() => {
        this.#running.delete(container);
        this.#slots.delete(slot);
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

  /** Reports the end of the server when the unused spare container ends. */
  #watch(container: StdioContainer): void {
    void container.ended.then((end) => {
      if (this.#spare !== container) return;
      this.#spare = undefined;
      this.#onEnd?.(end);
    });
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
        this.#excerpt(),
      );
    }
    return new WorkloadError(
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
