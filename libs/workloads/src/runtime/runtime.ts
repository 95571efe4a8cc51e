import type { BuildPlan } from '../builds/build-plan.ts';
import type { Overlay } from '../ignore/overlays.ts';
import type { SignInBrowser } from './sign-in-browser.ts';
import type { RunConfig } from '../configuration/run-config.ts';

/** Output and cancellation of a command that takes time. */
export interface CommandContext {
  readonly progress: (text: string) => void;
  /** Receives warnings of a command that succeeds. */
  readonly warn: (text: string) => void;
  /** Receives the paths that ignore files hide, when the configuration asks for them. */
  readonly showOverlays?: (overlays: readonly Overlay[]) => void;
  /** Lets the person of the command sign in to a remote server; undefined: there is none. */
  readonly browser?: SignInBrowser | undefined;
  readonly abort: AbortSignal;
}

/**
 * When an image is pulled: with `moving` also where the runtime has it already and its tag names
 * another image after each release.
 */
export type ImageRefresh = 'missing' | 'moving';

/** The start of a workload. */
export interface StartContext extends CommandContext {
  readonly foreground: boolean;
  /** Variables with which the supervisor reads the secrets of the workload. */
  readonly secretVariables: Readonly<Record<string, string>>;
}

/** A started workload whose server answers. */
export interface StartedWorkload {
  /** Resolves with the exit code of the server; only in the foreground. */
  readonly ended: Promise<number>;
  /** Disconnects from the workload, so that this process can exit. */
  readonly release: () => void;
  /** Stops the workload and waits until it has ended. */
  readonly stop: () => Promise<void>;
}

/** The state of a workload whose runtime restarts it. */
export interface ReportedState {
  readonly status: 'running' | 'unhealthy' | 'stopped';
  /** The reason of the status `unhealthy`. */
  readonly context?: string;
  readonly restarts: number;
}

/** A server of a workload that the runtime lists. */
export interface ListedServer {
  readonly workload: string;
  readonly running: boolean;
  /** Undefined on an engine, where the supervisor stores the state. */
  readonly reported?: ReportedState;
}

/** An image that was built from a package. */
export interface BuiltImage {
  readonly image: string;
  /** The package, as it was typed. */
  readonly source: string;
  /** Bytes, with the layers of its base image. */
  readonly size: number;
  /** ISO 8601. */
  readonly created_at: string;
}

/** A built image, and the workloads that use it. */
export interface UsedImage extends BuiltImage {
  readonly workloads: readonly string[];
}

/** The log of a workload that is read. */
export interface LogRequest {
  /** The log of the proxy instead of that of the server. */
  readonly proxy: boolean;
  /** Whether later lines follow, until the abort or the end of the log. */
  readonly follow: boolean;
  readonly abort: AbortSignal;
}

/** Receives a part of a log. */
export type LogConsumer = (stream: 'stdout' | 'stderr', data: Buffer) => void;

/**
 * A place that runs the servers of one home, such as a container engine or a cluster. Nothing above
 * it depends on which one it is.
 */
export interface Runtime {
  /** The text form of its address. The run configuration stores it, so that it is found again. */
  readonly address: string;
  /** Whether the proxies of its workloads listen on this machine. */
  readonly usesPortsOfMachine: boolean;
  /** @throws WorkloadError (no-engine) when it does not answer */
  ping(): Promise<void>;
  /** @throws WorkloadError (usage) for a configuration that it cannot run: an unknown network */
  requireSupport(config: RunConfig): Promise<void>;
  /**
   * Gets the image of a configuration, pulling or building it.
   * @returns the configuration with the defaults of the image
   */
  prepareImage(config: RunConfig, refresh: ImageRefresh, context: CommandContext): Promise<RunConfig>;
  /**
   * Starts the workload with its proxy, and waits until the server answers.
   * @throws the WorkloadError of the failure. Nothing runs then.
   */
  start(config: RunConfig, context: StartContext): Promise<StartedWorkload>;
  /** Starts the proxy of a workload again that was lost. Does not wait for it. */
  recover(name: string): void;
  /** Stops the servers and the proxy of a workload, if they run. */
  stop(name: string): Promise<void>;
  /** Removes the servers, the proxy and the networks of a workload. */
  remove(name: string): Promise<void>;
  /** Lists the servers of the home, or of one workload. @throws WorkloadError without an answer */
  list(name?: string): Promise<readonly ListedServer[]>;
  /** Reads the log of the server of a workload, or of its proxy. */
  readLog(config: RunConfig, request: LogRequest, take: LogConsumer): Promise<void>;
  /**
   * Builds the image of a plan, also when the runtime has it already.
   * @throws WorkloadError (failed) with the last output of the build
   */
  build(plan: BuildPlan, context: CommandContext): Promise<void>;
  /** Returns the user of an image; undefined where the runtime does not have it or cannot tell. */
  findImageUser(image: string): Promise<string | undefined>;
  /** Lists the images that were built from packages, the newest first. */
  listBuiltImages(): Promise<readonly BuiltImage[]>;
  /** Removes a built image. @returns false when something uses it */
  removeImage(image: string): Promise<boolean>;
  /** Ends idle connections, so that a process can exit. */
  close(): void;
}
