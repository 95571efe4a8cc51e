import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { existsSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { portHolder, portIsFree } from '@gatehouse/postgres/port-holder';
import { launchService, logFile } from './child.ts';
import { inheritedEnvironment, type PlatformConfig } from './config.ts';
import { readFurtherIssuers } from './further-issuers.ts';
import { homePaths, type HomePaths, prepareHome, readIfThere } from './home.ts';
import { clearLeftovers, commandOf, systemProcesses } from './leftovers.ts';
import { lockHome } from './lock.ts';
import { describePlatform, type PlatformFile, removePlatformFile, urlsOf, writePlatformFile } from './platform-file.ts';
import type { Person } from './identity-provider/directory.ts';
import { type Ports, portsAt, requireFreePorts, withCommand } from './ports.ts';
import { PostgresChild } from './postgres.ts';
import { prepareSecrets } from './secrets.ts';
import { localIssuer, planServices, type ServicePlan } from './services.ts';
import { type Child, StartFailedError, Supervisor, type SupervisorWorld } from './supervisor.ts';

/** Says one line of progress to the person who watches. */
export type Tell = (line: string) => void;

/** The platform is not built, so nothing of it can run. */
export class NotBuiltError extends GatehouseError {
  override readonly code = 'not_built';
}

/** The whole platform of one home. */
export class Platform {
  readonly #config: PlatformConfig;
  readonly #tell: Tell;
  #supervisor: Supervisor<ServicePlan> | undefined;
  #postgres: PostgresChild | undefined;
  #unlock: (() => void) | undefined;
  #stopped: Promise<void> | undefined;

  constructor(config: PlatformConfig, tell: Tell) {
    this.#config = config;
    this.#tell = tell;
  }

  /**
   * Brings everything up and writes platform.json.
   * @throws {HomeInUseError | PortTakenError | NotBuiltError} before anything is started
   * @throws {StartFailedError} with the end of the log of the service that failed, after everything
   * was stopped again
   */
  async start(): Promise<PlatformFile> {
    const startedAt = new Date();
    const paths = homePaths(this.#config.home);
    const ports = portsAt(this.#config.portOffset);
    const own = localIssuer(urlsOf(ports).identity_provider);
    const furtherIssuers = await readFurtherIssuers(paths.issuersFile, own);
    const inherited = inheritedEnvironment();
    const plans = planServices({ paths, ports, pid: process.pid, inherited, furtherIssuers });
    requireBuilt(plans);
    // A home that has run before is locked first: its own platform may hold the ports. Another one
    // is not made for nothing.
    if (!existsSync(paths.lockFile)) await requireFreePorts(ports, { isFree: portIsFree, holder: holderOf });
    prepareHome(paths);
    this.#unlock = lockHome(paths, startedAt);
    const people = await this.#claim(paths, ports);

    this.#supervisor = new Supervisor(plans, this.#world());
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
   * Takes over what an earlier run left, and the ports.
   * @throws {PortTakenError} after the lock was released
   */
  async #claim(paths: HomePaths, ports: Ports): Promise<Person[]> {
    try {
      removePlatformFile(paths);
      await clearLeftovers(paths.home, systemProcesses);
      await requireFreePorts(ports, { isFree: portIsFree, holder: holderOf });
      return prepareSecrets(paths, urlsOf(ports).identity_provider);
    } catch (error) {
      this.#unlock?.();
      throw error;
    }
  }

  /** Stops everything in order. May be called at any time, also twice. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  /** Ends everything at once; what was acknowledged is kept. */
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

  #world(): SupervisorWorld<ServicePlan> {
    const paths = homePaths(this.#config.home);
    const begun = performance.now();
    const ready = new Set<string>();
    return {
      launch: ({ name, program }) => (program ? launchService(name, program, paths) : this.#launchPostgres(paths)),
      probe: ({ program }, child) =>
        program ? answers(program.readyUrl) : Promise.resolve(child instanceof PostgresChild && child.ready),
      now: () => performance.now(),
      sleep: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
      changed: (plan, state, detail) => {
        if (state === 'ready') {
          this.#tell(`${plan.name} is ready${ready.has(plan.name) ? ' again' : ` (${elapsed(begun)})`}`);
          ready.add(plan.name);
        } else if (state === 'restarting') {
          const { code = null, signal = null } = detail?.exit ?? {};
          const how = signal ? `by ${signal}` : `with code ${code ?? 'unknown'}`;
          this.#tell(
            `${plan.name} ended ${how}; it is started again in ${detail?.pause ?? 0} ms (log: ${logFile(paths, plan.name)})`,
          );
        } else if (state === 'stopped') {
          this.#tell(`${plan.name} stopped`);
        }
      },
    };
  }
}

const holderOf = (port: number): string | undefined => withCommand(portHolder(port), commandOf);

/**
 * Whether a service answers 200. With node:http: `fetch` alone would cost the supervisor a quarter
 * more memory.
 */
function answers(url: string): Promise<boolean> {
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
  const tail = (readIfThere(file) ?? '').trimEnd().split('\n').slice(-15);
  failure.message = [failure.message, ...tail.map((line) => `  ${line}`), `The whole log: ${file}`].join('\n');
  return failure;
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

const elapsed = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;
