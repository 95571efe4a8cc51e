import { containerBody, labelFilters, sharesNetwork, workloadLabels, type Reach } from './container-shape.ts';
import {
  createContainer,
  inspectContainer,
  lastOutput,
  listContainers,
  removeContainer,
  startContainer,
  waitForExit,
} from './containers.ts';
import { messageOf, WorkloadFailure } from './failure.ts';
import { isOwnAddress } from './local-address.ts';
import { networkGateways } from './networks.ts';
import { waitForHttpServer, type Target } from './readiness.ts';
import { stopContainer } from './stop-container.ts';
import { EXCERPT_LINES, explain, type ServerContext, type ServerEnd, type WorkloadServer } from './workload-server.ts';
import { onNetwork } from './workload-networks.ts';

const TRY_STDIO = '--transport stdio   when the server speaks on standard streams';

/**
 * The failure of a server whose container ended before it answered. A stdio server does that: it
 * finds its input closed. Most of them end with exit code 0 then, and a server that misses a
 * setting does not.
 */
function endedEarly(name: string, exitCode: number): WorkloadFailure {
  const why = `it ended with exit code ${exitCode} before it answered`;
  const guess = exitCode === 0 ? '; it may speak stdio' : '';
  return new WorkloadFailure('failed', `${name} did not start: ${why}${guess}`, [TRY_STDIO]);
}

/**
 * A server that is spoken to over streamable HTTP: one container, which is kept after it ended so
 * that its log can be read.
 */
export class HttpServer implements WorkloadServer {
  readonly #context: ServerContext;
  #id: string | undefined;
  #target: Target | undefined;

  constructor(context: ServerContext) {
    this.#context = context;
  }

  /** Where the server is dialled now; undefined while it does not run. */
  target(): Target | undefined {
    return this.#target;
  }

  async start(timeoutMs: number, progress: (text: string) => void, abort: AbortSignal): Promise<void> {
    const { engine, config } = this.#context;
    try {
      this.#id = (await this.#adopt()) ?? (await this.#create(progress));
      const id = this.#id;
      const target = await this.#locate(id);
      progress('waiting for the server to answer');
      await this.#untilReady(id, target, timeoutMs, abort);
      this.#target = target;
    } catch (error) {
      const excerpt = this.#id === undefined ? [] : await lastOutput(engine, this.#id, EXCERPT_LINES).catch(() => []);
      await this.#remove();
      abort.throwIfAborted();
      throw explain(error, config, excerpt);
    }
  }

  async ended(): Promise<ServerEnd> {
    const { engine } = this.#context;
    const id = this.#id ?? '';
    const code = await waitForExit(engine, id, 'not-running');
    this.#target = undefined;
    return code === undefined || (await this.wasRemoved()) ? { kind: 'removed' } : { kind: 'exited', code };
  }

  async wasRemoved(): Promise<boolean> {
    return this.#id !== undefined && (await inspectContainer(this.#context.engine, this.#id)) === undefined;
  }

  async stop(graceSeconds: number): Promise<void> {
    this.#target = undefined;
    if (this.#id !== undefined) await stopContainer(this.#context.engine, this.#id, graceSeconds);
  }

  /**
   * The container of an earlier supervisor when it still runs, or our own that ended: its log goes
   * on.
   */
  async #adopt(): Promise<string | undefined> {
    const { engine, home, config } = this.#context;
    const found = await listContainers(engine, labelFilters(home, config.name));
    const kept = found.find(({ id, running }) => running || id === this.#id);
    await Promise.all(found.filter((one) => one !== kept).map((one) => removeContainer(engine, one.id)));
    if (kept?.running === false) await startContainer(engine, kept.id);
    return kept?.id;
  }

  async #create(progress: (text: string) => void): Promise<string> {
    const { engine, home, config } = this.#context;
    progress('creating the container');
    return onNetwork(this.#context, async (network) => {
      const body = containerBody(config, workloadLabels(home, config), network, await this.#reach(network));
      const id = await createContainer(engine, config.container_name, body, this.#context.log);
      this.#id = id;
      progress('starting the container');
      try {
        await startContainer(engine, id);
      } catch (error) {
        await this.#remove();
        throw error;
      }
      return id;
    });
  }

  async #remove(): Promise<void> {
    const id = this.#id;
    this.#id = undefined;
    if (id !== undefined) await removeContainer(this.#context.engine, id).catch(() => undefined);
  }

  /**
   * Straight to the container's address where the engine's bridge ends on this machine (half the
   * latency of a published port, and no port to publish); elsewhere (Docker Desktop, rootless,
   * remote) through a port published on loopback.
   */
  async #reach(network: string): Promise<Reach> {
    const { engine, config } = this.#context;
    if (sharesNetwork(network)) return 'none';
    if (config.target_host !== undefined || !engine.address.startsWith('unix:')) return 'published';
    for (const gateway of await networkGateways(engine, network)) if (await isOwnAddress(gateway)) return 'direct';
    return 'published';
  }

  async #locate(id: string): Promise<Target> {
    const { engine, config } = this.#context;
    const port = config.target_port ?? 0;
    const own = await inspectContainer(engine, id);
    const network = own?.networkMode ?? '';
    if (network === 'host') return { host: config.target_host ?? engine.host, port };
    const shared = network.startsWith('container:') ? network.slice('container:'.length) : undefined;
    const facts = shared === undefined ? own : await inspectContainer(engine, shared);
    if (!facts) throw new Error('its container is gone');
    const published = facts.published[`${port}/tcp`];
    if (published !== undefined && config.target_host !== undefined)
      return { host: config.target_host, port: published };
    const address = facts.addresses[0];
    if (address !== undefined && (await this.#reach(network)) !== 'published') return { host: address, port };
    if (published !== undefined) return { host: engine.host, port: published };
    if (!facts.running) throw endedEarly(config.name, facts.exitCode);
    throw new Error('its container has no address');
  }

  async #untilReady(id: string, target: Target, timeoutMs: number, abort: AbortSignal): Promise<void> {
    const done = new AbortController();
    const either = AbortSignal.any([abort, done.signal]);
    const ended = waitForExit(this.#context.engine, id, 'not-running', either).then(
      (code) =>
        code === undefined ? new Error('its container was removed') : endedEarly(this.#context.config.name, code),
      (error: unknown) => error as Error,
    );
    try {
      const early = await Promise.race([waitForHttpServer(target, timeoutMs, either).then(() => undefined), ended]);
      if (early) throw early;
    } catch (error) {
      abort.throwIfAborted();
      const inspected = await inspectContainer(this.#context.engine, id);
      const excerpt = await lastOutput(this.#context.engine, id, EXCERPT_LINES).catch(() => []);
      const { name } = this.#context.config;
      if (inspected?.running === true) {
        const text = `${name} did not answer within ${timeoutMs / 1000} s: ${messageOf(error)}`;
        const tries = ['--target-port PORT   when the server listens on another port', TRY_STDIO];
        throw new WorkloadFailure('failed', text, tries, error, excerpt);
      }
      const early = error instanceof WorkloadFailure ? error : inspected && endedEarly(name, inspected.exitCode);
      throw new WorkloadFailure(
        'failed',
        early?.message ?? `${name} did not start: ${messageOf(error)}`,
        early?.tryNext ?? [],
        error,
        excerpt,
      );
    } finally {
      done.abort();
    }
  }
}
