import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { existsSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { findListeningProcess, isPortFree } from '@gatehouse/postgres/port-holder';
import { launchService, logFile } from './child.ts';
import { inheritedEnvironment, type PlatformConfig } from './config.ts';
import { readFurtherIssuers } from './further-issuers.ts';
import { homePaths, type HomePaths, prepareHome, readIfExists } from './home.ts';
import { clearLeftovers, readCommand, systemProcesses } from './leftovers.ts';
import { lockHome } from './lock.ts';
import {
  describePlatform,
  type PlatformFile,
  removePlatformFile,
  createUrls,
  writePlatformFile,
} from './platform-file.ts';
import type { Person } from './identity-provider/directory.ts';
import { describeHolder, type PortProbe, portsAt, requireFreePorts, selectUsedPorts } from './ports.ts';
import { PostgresChild } from './postgres.ts';
import { runResourceProgram } from './resource-program.ts';
import { prepareSecrets } from './secrets.ts';
import { localIssuer, type PlatformContext, planResourceProgram, planServices, type ServicePlan } from './services.ts';
import { type Child, StartFailedError, Supervisor, type SupervisorEnvironment } from './supervisor.ts';

/** Prints one line of progress. */
export type Report = (line: string) => void;

/** Some programs of the platform are not built. */
export class NotBuiltError extends GatehouseError {
  override readonly code = 'not_built';
}

/** The whole platform of one home. */
export class Platform {
  readonly #config: PlatformConfig;
  readonly #report: Report;
  #supervisor: Supervisor<ServicePlan> | undefined;
  #postgres: PostgresChild | undefined;
  #unlock: (() => void) | undefined;
  #stopped: Promise<void> | undefined;

  constructor(config: PlatformConfig, report: Report) {
    this.#config = config;
    this.#report = report;
  }

  /**
   * Starts all services and writes platform.json.
   * @throws {HomeInUseError | PortTakenError | NotBuiltError | ResourcesUnusableError} before any
   * service is started
   * @throws {StartFailedError} with the end of the log of the failed service, after all services
   * were stopped
   */
  async start(): Promise<PlatformFile> {
    const startedAt = new Date();
    const paths = homePaths(this.#config.home);
    const ports = portsAt(this.#config.portOffset);
    const { demo } = this.#config;
    const own = localIssuer(createUrls(ports).identity_provider);
    const furtherIssuers = await readFurtherIssuers(paths.issuersFile, own);
    const inherited = inheritedEnvironment();
    const context = { paths, ports, pid: process.pid, inherited, furtherIssuers, demo, managedSecretIds: [] };
    requireBuilt(planServices(context));
    // An existing home is locked before the ports are checked, because its own platform may use
    // them. A new home is created only when the ports are free.
    if (!existsSync(paths.lockFile)) await requireFreePorts(selectUsedPorts(ports, demo), PORT_PROBE);
    prepareHome(paths);
    this.#unlock = lockHome(paths, startedAt);
    const { people, managedSecretIds } = await this.#prepare(context);

    this.#supervisor = new Supervisor(planServices({ ...context, managedSecretIds }), this.#environment());
    try {
      await this.#supervisor.start();
      const platform = describePlatform({ version: version(), pid: process.pid, startedAt, ports, people });
      if (!this.#stopped) writePlatformFile(paths, platform);
      return platform;
    } catch (error) {
      await this.stop();
      throw error instanceof StartFailedError ? withLog(error, logFile(paths, error.service)) : error;
    }
  }

  /**
   * Ends the services of an earlier run, checks the ports, and creates missing secrets and
   * resources.
   * @throws {PortTakenError | ResourcesUnusableError} after the release of the lock
   */
  async #prepare(context: PlatformContext): Promise<{ people: Person[]; managedSecretIds: readonly string[] }> {
    const { paths, ports, demo } = context;
    try {
      removePlatformFile(paths);
      await clearLeftovers(paths.home, systemProcesses);
      await requireFreePorts(selectUsedPorts(ports, demo), PORT_PROBE);
      const people = prepareSecrets(paths, createUrls(ports).identity_provider);
      const { lines, managedSecretIds } = await runResourceProgram(planResourceProgram(context));
      for (const line of lines) this.#report(line);
      return { people, managedSecretIds };
    } catch (error) {
      this.#unlock?.();
      throw error;
    }
  }

  /** Stops all services in order. It may be called at any time and again. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  /** Kills all services at once. Acknowledged writes are not lost. */
  kill(): void {
    removePlatformFile(homePaths(this.#config.home));
    this.#supervisor?.kill();
  }

  async #stopAll(): Promise<void> {
    if (this.#unlock) removePlatformFile(homePaths(this.#config.home));
    await this.#supervisor?.stop();
    this.#unlock?.();
  }

  #launchPostgres(paths: HomePaths): Child {
    this.#postgres = new PostgresChild(paths, this.#postgres?.port);
    return this.#postgres;
  }

  #environment(): SupervisorEnvironment<ServicePlan> {
    const paths = homePaths(this.#config.home);
    const startTime = performance.now();
    const ready = new Set<string>();
    return {
      launch: ({ name, program }) => (program ? launchService(name, program, paths) : this.#launchPostgres(paths)),
      probe: ({ program }, child) =>
        program ? isReady(program.readyUrl) : Promise.resolve(child instanceof PostgresChild && child.ready),
      now: () => performance.now(),
      sleep: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
      changed: (plan, state, detail) => {
        if (state === 'ready') {
          this.#report(`${plan.name} is ready${ready.has(plan.name) ? ' again' : ` (${elapsed(startTime)})`}`);
          ready.add(plan.name);
        } else if (state === 'restarting') {
          const { code = null, signal = null } = detail?.exit ?? {};
          const how = signal ? `by ${signal}` : `with code ${code ?? 'unknown'}`;
          this.#report(
            `${plan.name} ended ${how}; it restarts in ${detail?.pause ?? 0} ms (log: ${logFile(paths, plan.name)})`,
          );
        } else if (state === 'stopped') {
          this.#report(`${plan.name} stopped`);
        }
      },
    };
  }
}

const PORT_PROBE: PortProbe = {
  isFree: isPortFree,
  holder: (port) => describeHolder(findListeningProcess(port), readCommand),
};

/** Whether a URL answers 200. `fetch` would need a quarter more memory than node:http. */
function isReady(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 2000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

function requireBuilt(plans: readonly ServicePlan[]): void {
  const missing = plans.filter(({ program }) => program && !existsSync(program.main)).map(({ name }) => name);
  if (missing.length > 0) throw new NotBuiltError(`Not built: ${missing.join(', ')}. Run "npm run build" first.`);
}

function withLog(failure: StartFailedError, file: string): StartFailedError {
  const tail = (readIfExists(file) ?? '').trimEnd().split('\n').slice(-15);
  failure.message = [failure.message, ...tail.map((line) => `  ${line}`), `The whole log: ${file}`].join('\n');
  return failure;
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

const elapsed = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;
