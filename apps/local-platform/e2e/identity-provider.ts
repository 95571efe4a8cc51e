import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@gatehouse/testing/ports';
import { homePaths, prepareHome } from '../src/home.ts';
import { prepareSecrets } from '../src/secrets.ts';

const MAIN = resolve(import.meta.dirname, '../dist/identity-provider/main.js');

/** An identity provider in its own process, with its own home. */
export class Issuer {
  readonly home = mkdtempSync(join(tmpdir(), 'gatehouse-idp-'));
  readonly issuer: string;
  readonly mcpUrl = 'http://127.0.0.1:8081/mcp';
  readonly #port: number;
  #process: ChildProcess | undefined;

  constructor(port: number) {
    this.#port = port;
    this.issuer = `http://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    this.#process = this.#spawn({});
    for (;;) {
      const response = await fetch(`${this.issuer}/readyz`).catch(() => undefined);
      await response?.body?.cancel();
      if (response?.ok) return;
      if (this.#process.exitCode !== null) throw new Error('the identity provider ended');
      await sleep(25);
    }
  }

  async killAndRestart(): Promise<void> {
    await this.#kill();
    await this.start();
  }

  async remove(): Promise<void> {
    await this.#kill();
    rmSync(this.home, { recursive: true, force: true });
  }

  password(name: string): string {
    const { users } = JSON.parse(readFileSync(join(this.home, 'credentials.json'), 'utf8')) as {
      users: { name: string; password: string }[];
    };
    return users.find((user) => user.name === name)!.password;
  }

  clientSecret(client: string): string {
    return readFileSync(join(this.home, 'secrets', `${client}.client-secret`), 'utf8');
  }

  requestLocalToken(
    body: object,
    authorization = `Bearer ${readFileSync(join(this.home, 'secrets', 'local-tokens'), 'utf8')}`,
  ): Promise<Response> {
    return fetch(`${this.issuer}/local/tokens`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization },
    });
  }

  async localToken(body: object): Promise<string> {
    const response = await this.requestLocalToken(body);
    return ((await response.json()) as { access_token: string }).access_token;
  }

  /** Starts a second process with other settings. @returns its exit code and its error output */
  async tryStart(env: Record<string, string>): Promise<{ code: number | null; stderr: string }> {
    const child = this.#spawn(env);
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    await once(child, 'close');
    return { code: child.exitCode, stderr };
  }

  async #kill(): Promise<void> {
    if (!this.#process) return;
    this.#process.kill('SIGKILL');
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, 'exit');
  }

  #spawn(env: Record<string, string>): ChildProcess {
    return spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        GATEHOUSE_HOME: this.home,
        PORT: String(this.#port),
        AUDIENCE: 'urn:gatehouse:local',
        CONSOLE_URL: 'http://127.0.0.1:8084',
        RESOURCES: this.mcpUrl,
        ...env,
      },
    });
  }
}

/** Starts an identity provider with new users on a free port. */
export async function startIdentityProvider(): Promise<Issuer> {
  const issuer = new Issuer(await freePort());
  const paths = homePaths(issuer.home);
  prepareHome(paths);
  prepareSecrets(paths, issuer.issuer);
  await issuer.start();
  return issuer;
}
