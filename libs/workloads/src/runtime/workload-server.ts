import type { HttpUpstream } from '@gatehouse/proxy/options';
import type { Readable, Writable } from 'node:stream';

/** The end of a server: its exit code, the removal of its container, or the loss of the engine. */
export type ServerEnd =
  { readonly kind: 'exited'; readonly code: number } | { readonly kind: 'removed' } | { readonly kind: 'lost' };

/** The exit code of a process that SIGKILL has ended. */
const KILLED = 137;

/** Whether the system has killed a server, often because of its memory. */
export const isKilled = (end: ServerEnd): boolean => end.kind === 'exited' && end.code === KILLED;

/** Describes a {@link ServerEnd} in one phrase. */
export function describeEnd(end: ServerEnd): string {
  if (end.kind === 'removed') return 'its container was removed';
  if (end.kind === 'lost') return 'the container engine lost the server';
  return isKilled(end)
    ? `the server was killed (exit code ${KILLED}), which the system does where it needs more than its --memory`
    : `the server ended with exit code ${end.code}`;
}

/** The address of a server in a container. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** A server on the standard streams of its own container. */
export interface ServerProcess {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when the process has ended or its streams are closed. */
  readonly ended: Promise<ServerEnd>;
  /** Ends the process; may be called again. */
  stop(): Promise<void>;
}

/** How the proxy reaches a server: at an address that can change, or on standard streams. */
export type ServerConnection =
  /** `getAddress` returns undefined while the server does not run. */
  | { readonly kind: 'http'; readonly getAddress: () => ServerAddress | undefined }
  /** A server elsewhere; `headers` are those of each request. */
  | {
      readonly kind: 'remote';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly tokens: HttpUpstream['tokens'];
      readonly dispatcher: NonNullable<HttpUpstream['dispatcher']>;
      /** Reports why no request reaches the server, and undefined once they do again. */
      readonly watch: (report: (reason: string | undefined) => void) => void;
    }
  | { readonly kind: 'stdio'; readonly openProcess: () => Promise<ServerProcess> };

/** The server of a workload, of any transport. It is started once before each end. */
export interface WorkloadServer {
  readonly connection: ServerConnection;
  /**
   * Starts the server and waits until it answers.
   * @throws WorkloadError with the last output of the server, after the removal of its containers.
   */
  start(timeoutMs: number, progress: (text: string) => void, abort: AbortSignal): Promise<void>;
  /** Resolves when the started server has ended. */
  waitForEnd(): Promise<ServerEnd>;
  /** Whether another program removed the ended container. Such a server is not started again. */
  wasRemoved(): Promise<boolean>;
  /** Stops the server; its containers end within the grace time. */
  stop(graceSeconds: number): Promise<void>;
}
