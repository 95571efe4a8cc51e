import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core';
import { createErrorReport } from '../terminal/error-report.ts';
import Run from './run.ts';

/** The outcome of a command line of `run` that was refused. */
export interface Refusal {
  readonly exitCode: number;
  /** The sentence after `Error: `. */
  readonly sentence: string;
  /** The advice. */
  readonly tryNext: readonly string[];
}

/** A command that the harness can run. */
type TestedCommand = new (argv: string[], config: Config) => { run: () => Promise<void> };

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** The folder of this package, as an installed command line has it. */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Runs command lines of `gatehouse run` in this process, against a container engine that answers
 * questions and notes every request that would change something.
 */
export class RunHarness {
  /** A folder for files of tests. */
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'refused-')));
  readonly home = join(this.folder, 'home');
  readonly socket = join(this.folder, 'engine.sock');
  /** The requests to the engine that change something. */
  readonly changes: string[] = [];
  /** The lines that commands have written on stderr. */
  readonly said: string[] = [];
  private readonly engine: Server;
  private config: Config | undefined;

  /** @param environment of this process; `close` removes the variables of the harness */
  constructor(private readonly environment: NodeJS.ProcessEnv) {
    mkdirSync(this.home);
    this.engine = createServer((request, response) => {
      const { method = '', url = '' } = request;
      if (method !== 'GET') this.changes.push(`${method} ${url}`);
      response.statusCode = /^\/(_ping|version|info|networks|containers\/json)(\?|$)/.test(url) ? 200 : 404;
      response.end(
        url === '/_ping' ? 'OK' : url.startsWith('/networks') || url.startsWith('/containers') ? '[]' : '{}',
      );
    });
  }

  async open(): Promise<void> {
    await new Promise<void>((done) => this.engine.listen(this.socket, done));
    Object.assign(this.environment, { GATEHOUSE_HOME: this.home, DOCKER_HOST: `unix://${this.socket}` });
    this.config = await Config.load({ root: ROOT });
  }

  close(): void {
    delete this.environment['GATEHOUSE_HOME'];
    delete this.environment['DOCKER_HOST'];
    this.engine.closeAllConnections();
    this.engine.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /**
   * Runs a command line.
   * @param type the command; default: `run`
   * @throws Error when it is accepted
   */
  async refuse(argv: readonly string[], type: TestedCommand = Run): Promise<Refusal> {
    if (this.config === undefined) throw new Error('open the harness first');
    Run.id = 'run';
    const command = new type([...argv], this.config);
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (text: string | Uint8Array) => {
      this.said.push(...String(text).trimEnd().split('\n'));
      return true;
    };
    const listeners = SIGNALS.map((signal) => process.listeners(signal));
    try {
      await command.run();
    } catch (error) {
      const { exitCode, document, lines } = createErrorReport(error, false);
      return { exitCode, sentence: lines[0]?.replace(/^Error: /, '') ?? '', tryNext: document?.error.try ?? [] };
    } finally {
      process.stderr.write = write;
      for (const [index, signal] of SIGNALS.entries())
        for (const listener of process.listeners(signal))
          if (listeners[index]?.includes(listener) !== true) process.off(signal, listener);
    }
    throw new Error('the command line was accepted');
  }

  /** The files that command lines have written into the home. */
  listFiles(): string[] {
    return readdirSync(this.home, { recursive: true }).map(String).sort();
  }

  /** Returns the path of a file of the tests. */
  readonly at = (path: string): string => join(this.folder, path);

  /** Writes the folder of the tests in place of `@/`. */
  readonly place = (text: string): string => text.replaceAll('@/', `${this.folder}/`);

  /** Forgets the requests and the lines of earlier command lines. */
  reset(): void {
    this.changes.length = 0;
    this.said.length = 0;
  }
}
