import { resolveContainerMounts } from '../configuration/configured-mounts.ts';
import { createContainerSpec, createLabelFilters, createWorkloadLabels, type PortAccess } from './container-spec.ts';
import {
  createContainer,
  inspectContainer,
  readLastOutput,
  listServerContainers,
  removeContainer,
  startContainer,
  waitForExit,
} from './containers.ts';
import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';
import { isOwnAddress } from '../flags/local-address.ts';
import { listNetworkGateways } from './networks.ts';
import type { Mount } from '../mounts/mount.ts';
import { canPublishPorts } from '../flags/ports.ts';
import type { ServerAddress } from '../runtime/workload-server.ts';
import { waitForHttpServer } from '../server/readiness.ts';
import { stopContainer } from './stop-container.ts';
import type { ServerConnection, ServerEnd, WorkloadServer } from '../runtime/workload-server.ts';
import type { ServerContext } from './server-context.ts';
import { isUserEngine } from './socket-owner.ts';
import { EXCERPT_LINES, toStartError } from './start-error.ts';
import { joinNetworks, withAttachment } from './network-attachment.ts';

const STDIO_HINT = '--transport stdio   when the server speaks on standard streams';

/**
 * The error for a server whose container ended before it answered. A stdio server finds its input
 * closed and usually ends with exit code 0; a server with a missing setting has another code.
 */
function createEarlyEndError(name: string, exitCode: number): WorkloadError {
  const why = `it ended with exit code ${exitCode} before it answered`;
  const hint = exitCode === 0 ? '; it may speak stdio' : '';
  return new WorkloadError('failed', `${name} did not start: ${why}${hint}`, [STDIO_HINT]);
}

/**
 * A server that speaks streamable HTTP or SSE. It has one container, which is kept after its end so
 * that its log can be read.
 */
export class HttpServer implements WorkloadServer {
  readonly #context: ServerContext;
  #id: string | undefined;
  #target: ServerAddress | undefined;
  /** The mounts of the container that this supervisor has created. */
  #mounts = '';

  constructor(context: ServerContext) {
    this.#context = context;
    context.isolation?.onRestart(() => void this.#locateAgain());
  }

  get connection(): ServerConnection {
    return { kind: 'http', getAddress: () => this.#target };
  }

  async start(timeoutMs: number, progress: (text: string) => void, abort: AbortSignal): Promise<void> {
    const { engine, config, isolation, networks } = this.#context;
    try {
      await networks;
      await isolation?.start();
      this.#id = (await this.#adopt()) ?? (await this.#create(progress));
      const id = this.#id;
      const target = await this.#locate(id);
      progress('waiting for the server to answer');
      // A client that has connected reaches the server as soon as it listens.
      this.#target = target;
      await this.#waitUntilReady(id, target, timeoutMs, abort);
    } catch (error) {
      this.#target = undefined;
      const excerpt =
        this.#id === undefined ? [] : await readLastOutput(engine, this.#id, EXCERPT_LINES).catch(() => []);
      await this.#remove();
      abort.throwIfAborted();
      throw toStartError(error, config, excerpt);
    }
  }

  async waitForEnd(): Promise<ServerEnd> {
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
    await this.#context.isolation?.stop();
  }

  /**
   * Finds the running container of an earlier supervisor, or restarts the ended one of this
   * supervisor, so that its log continues.
   */
  async #adopt(): Promise<string | undefined> {
    const { engine, home, config } = this.#context;
    const found = await listServerContainers(engine, createLabelFilters(home, config.name));
    const kept = found.find(({ id, running }) => running || id === this.#id);
    const isOutdated = kept?.running === false && (await this.#hasOtherMounts());
    await Promise.all(found.filter((one) => one !== kept).map((one) => removeContainer(engine, one.id)));
    if (isOutdated) {
      await removeContainer(engine, kept.id);
      return undefined;
    }
    if (kept?.running === false) await startContainer(engine, kept.id);
    return kept?.id;
  }

  /** Whether ignore files or symbolic links have changed since the creation of the container. */
  async #hasOtherMounts(): Promise<boolean> {
    const before = this.#mounts;
    await this.#resolveMounts();
    return this.#mounts !== before;
  }

  async #resolveMounts(): Promise<readonly Mount[]> {
    const { config, home } = this.#context;
    const mounts = await resolveContainerMounts(config, home.folder);
    this.#mounts = JSON.stringify(mounts);
    return mounts;
  }

  async #create(progress: (text: string) => void): Promise<string> {
    const { engine, home, config } = this.#context;
    progress('creating the container');
    return withAttachment(this.#context, 1, async (attachment) => {
      const access = attachment.isolation ? 'none' : await this.#choosePortAccess(attachment.network);
      const body = createContainerSpec(config, createWorkloadLabels(home, config), attachment, access, {
        secrets: await this.#context.readSecrets(),
        mounts: await this.#resolveMounts(),
      });
      const id = await createContainer(engine, config.container_name, body, this.#context.log);
      this.#id = id;
      progress('starting the container');
      try {
        await joinNetworks(engine, id, attachment);
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
   * Selects the container's own address when the bridge of the engine is on this machine, with half
   * the latency of a published port. Other engines (Docker Desktop, rootless, remote) need a port
   * published on loopback.
   */
  async #choosePortAccess(network: string): Promise<PortAccess> {
    const { engine, config } = this.#context;
    if (!canPublishPorts(network)) return 'none';
    if (config.target_host !== undefined || !engine.address.startsWith('unix:') || isUserEngine(engine.address))
      return 'published';
    for (const gateway of await listNetworkGateways(engine, network)) if (await isOwnAddress(gateway)) return 'direct';
    return 'published';
  }

  /** Finds the address of the running server again. Its end is reported elsewhere. */
  async #locateAgain(): Promise<void> {
    if (this.#id === undefined || this.#target === undefined) return;
    this.#target = await this.#locate(this.#id).catch(() => undefined);
  }

  async #locate(id: string): Promise<ServerAddress> {
    const { engine, config, isolation } = this.#context;
    const port = config.target_port ?? 0;
    if (isolation !== undefined) return isolation.locate(port);
    const inspected = await inspectContainer(engine, id);
    const network = inspected?.networkMode ?? '';
    if (network === 'host') return { host: config.target_host ?? engine.host, port };
    const shared = network.startsWith('container:') ? network.slice('container:'.length) : undefined;
    const info = shared === undefined ? inspected : await inspectContainer(engine, shared);
    if (!info) throw new Error('its container was removed');
    const published = info.published[`${port}/tcp`];
    if (published !== undefined && config.target_host !== undefined)
      return { host: config.target_host, port: published };
    const address = info.addresses[0];
    if (address !== undefined && (await this.#choosePortAccess(network)) !== 'published')
      return { host: address, port };
    if (published !== undefined) return { host: engine.host, port: published };
    if (!info.running) throw createEarlyEndError(config.name, info.exitCode);
    throw new Error('its container has no address');
  }

  async #waitUntilReady(id: string, target: ServerAddress, timeoutMs: number, abort: AbortSignal): Promise<void> {
    const done = new AbortController();
    const either = AbortSignal.any([abort, done.signal]);
    const ended = waitForExit(this.#context.engine, id, 'not-running', either).then(
      (code) =>
        code === undefined
          ? new Error('its container was removed')
          : createEarlyEndError(this.#context.config.name, code),
      (error: unknown) => error as Error,
    );
    try {
      const { target_port: serverPort, transport } = this.#context.config;
      const ready = waitForHttpServer(target, timeoutMs, either, { serverPort, transport }).then(() => undefined);
      const early = await Promise.race([ready, ended]);
      if (early) throw early;
    } catch (error) {
      abort.throwIfAborted();
      const inspected = await inspectContainer(this.#context.engine, id);
      const excerpt = await readLastOutput(this.#context.engine, id, EXCERPT_LINES).catch(() => []);
      const { name } = this.#context.config;
      if (inspected?.running === true) {
        const text = `${name} did not answer within ${timeoutMs / 1000} s: ${getErrorMessage(error)}`;
        const tries = ['--target-port PORT   when the server listens on another port', STDIO_HINT];
        throw new WorkloadError('failed', text, tries, error, excerpt);
      }
      const early = error instanceof WorkloadError ? error : inspected && createEarlyEndError(name, inspected.exitCode);
      throw new WorkloadError(
        'failed',
        early?.message ?? `${name} did not start: ${getErrorMessage(error)}`,
        early?.tryNext ?? [],
        error,
        excerpt,
      );
    } finally {
      done.abort();
    }
  }
}
