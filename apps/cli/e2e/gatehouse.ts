import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Engine } from '@gatehouse/testing/engine';
import { compileCache } from '@gatehouse/testing/process';

const BIN = fileURLToPath(new URL('../bin/gatehouse.js', import.meta.url));

const createHome = (): string => mkdtempSync(join(tmpdir(), 'gatehouse-'));

/** The result of a command. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A workload as `--json` shows it. */
export interface Shown {
  name: string;
  url: string;
  port: number;
  status: string;
  status_context?: string;
  transport_type: string;
}

/** A running command. */
export interface Running {
  process: ChildProcess;
  ended: Promise<Ended>;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves when stderr contains the text. */
  says(text: string): Promise<void>;
}

/** The command line with its own home. */
export class Gatehouse {
  #home = createHome();
  readonly #engine: Engine | undefined;
  readonly #program: readonly [string, ...string[]];

  /** @param program the command line; default: the built one, with the Node of the tests */
  constructor(engine?: Engine, program: readonly [string, ...string[]] = [process.execPath, '--', BIN]) {
    this.#engine = engine;
    this.#program = program;
  }

  /** The folder of its state. */
  get home(): string {
    return this.#home;
  }

  /** Starts a command without waiting for its end. @param input its standard input */
  begin(args: string[], env: NodeJS.ProcessEnv = {}, input?: string): Running {
    const [program, ...leading] = this.#program;
    const child = spawn(program, [...leading, ...args], {
      env: {
        ...process.env,
        ...compileCache,
        GATEHOUSE_HOME: this.home,
        ...(this.#engine && { DOCKER_HOST: this.#engine.dockerHost }),
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.on('error', () => undefined).end(input);
    let stdout = '';
    let stderr = '';
    const waiting = new Set<() => void>();
    child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
    child.stderr.on('data', (part: Buffer) => {
      stderr += part.toString();
      for (const check of waiting) check();
    });
    const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
    return {
      process: child,
      ended,
      stdout: () => stdout,
      stderr: () => stderr,
      says: (text) =>
        new Promise((resolve, reject) => {
          const check = () => {
            if (stderr.includes(text)) resolve();
          };
          waiting.add(check);
          check();
          void ended.then(({ code }) => reject(new Error(`it ended with ${code ?? 'a signal'}: ${stderr}`)));
        }),
    };
  }

  /** Runs a command to its end. */
  call(args: string[], env?: NodeJS.ProcessEnv): Promise<Ended> {
    return this.begin(args, env).ended;
  }

  /** Runs a command that must succeed. */
  async ok(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.call(args);
    if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${code ?? 'a signal'}: ${stderr}`);
    return stdout;
  }

  /**
   * Runs a workload, which must succeed.
   * @param args the arguments of `run`
   */
  async run(args: string[], env?: NodeJS.ProcessEnv): Promise<{ readonly shown: Shown; readonly stderr: string }> {
    const { code, stdout, stderr } = await this.call(['run', '--json', ...args], env);
    if (code !== 0) throw new Error(`gatehouse run ${args.join(' ')} ended with ${code ?? 'a signal'}: ${stderr}`);
    return { shown: JSON.parse(stdout) as Shown, stderr };
  }

  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.ok(...args, '--json')) as T;
  }

  /** All workloads. */
  list(): Promise<Shown[]> {
    return this.json<Shown[]>('list', '-a');
  }

  /**
   * Waits until a workload has a state. Each query is a process, which can take longer than a
   * short state lasts, so a query follows a change of the file of the state.
   */
  async until(name: string, status: string): Promise<Shown> {
    const file = join(this.home, 'workloads', name, 'status.json');
    const read = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    for (;;) {
      await waitAtMost(1_000, () => read().includes(`"status": "${status}"`));
      const before = read();
      const shown = await this.json<Shown>('status', name);
      if (shown.status === status) return shown;
      await waitAtMost(1_000, () => read() !== before);
    }
  }

  /** Returns the supervisor's pid from the state. */
  supervisor(name: string): number {
    const text = readFileSync(join(this.home, 'workloads', name, 'status.json'), 'utf8');
    return (JSON.parse(text) as { process: { pid: number } }).process.pid;
  }

  /**
   * Lists the remains of this home: folders of workloads, containers, networks, processes. A
   * supervisor that a command has started early ends a moment after the command.
   */
  async leftovers(): Promise<string[]> {
    await this.countProcesses(0);
    const folder = join(this.home, 'workloads');
    const left = existsSync(folder) ? readdirSync(folder) : [];
    const containers = await this.#allContainers();
    const networks =
      (await this.#engine?.docker.listNetworks({ filters: JSON.stringify({ label: [this.#label] }) })) ?? [];
    return [
      ...left,
      ...containers.map(({ Names }) => Names.join()),
      ...networks.map(({ Name }) => Name),
      ...this.processes(),
    ];
  }

  /** Waits until nothing remains, because a process ends a moment after its workload. */
  async untilNothingIsLeft(): Promise<void> {
    while ((await this.leftovers()).length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  }

  /** The containers of servers of this home. */
  async containers() {
    return (await this.#allContainers()).filter(({ Labels }) => !('gatehouse-egress' in Labels));
  }

  async #allContainers() {
    return (await this.#engine?.docker.listContainers({ all: true, filters: { label: [this.#label] } })) ?? [];
  }

  get #label(): string {
    return `gatehouse-home=${createHash('sha256').update(this.home).digest('hex').slice(0, 8)}`;
  }

  /**
   * Waits until this home has so many supervisors. One that ends, or that another has replaced,
   * exists a moment longer.
   * @returns the number at the end, which differs after 20 s
   */
  async countProcesses(expected: number): Promise<number> {
    await waitAtMost(20_000, () => this.processes().length === expected);
    return this.processes().length;
  }

  /** Command lines of the supervisors of this home. */
  processes(): string[] {
    return readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .flatMap((pid) => {
        try {
          const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
          return line.includes('supervise') && line.includes(this.home) ? [line] : [];
        } catch {
          return [];
        }
      });
  }

  /** Removes everything, and takes a new home, in which no late process of the old one writes. */
  async renew(): Promise<void> {
    await this.close();
    this.#home = createHome();
  }

  /** Removes everything. A home in which no workload was started needs no command. */
  async close(): Promise<void> {
    if (existsSync(join(this.home, 'workloads'))) await this.call(['rm', '--all', '--yes']);
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Polls until a condition holds, or for some time. */
async function waitAtMost(milliseconds: number, holds: () => boolean): Promise<void> {
  for (const end = performance.now() + milliseconds; performance.now() < end && !holds();)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Lists the tools of a server with the official client and calls `echo`. */
export const echo = (url: string, message: string): Promise<{ tools: string[]; said: unknown }> =>
  withClient(url, async (client) => {
    const { tools } = await client.listTools();
    const { content } = await client.callTool({ name: 'echo', arguments: { message } });
    return { tools: tools.map(({ name }) => name), said: content };
  });

/** Calls the tool `greet` of a small server with the official client. @returns the content */
export const greet = (url: string, capabilities: ClientCapabilities = {}): Promise<unknown> =>
  withClient(url, async (client) => (await client.callTool({ name: 'greet', arguments: {} })).content, capabilities);

/** Calls a tool with the official client. @returns the text of its first content */
export const callTool = (url: string, name: string, args: Record<string, unknown>): Promise<string> =>
  withClient(url, async (client) => {
    const { content } = await client.callTool({ name, arguments: args });
    return (content as { text: string }[])[0]?.text ?? '';
  });

/** Lists the names of the tools of a server with the official client. */
export const listTools = (url: string): Promise<string[]> =>
  withClient(url, async (client) => (await client.listTools()).tools.map(({ name }) => name));

async function withClient<T>(
  url: string,
  work: (client: Client) => Promise<T>,
  capabilities: ClientCapabilities = {},
): Promise<T> {
  const client = new Client({ name: 'e2e', version: '1' }, { capabilities });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
