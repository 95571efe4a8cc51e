import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Browser, hiddenField } from '@gatehouse/testing/form-browser';
import { freePortOffset } from '@gatehouse/testing/ports';
import { compileCache, startProcess, type TestProcess } from '@gatehouse/testing/process';
import { Gatehouse, type Ended, type Running } from './gatehouse.ts';

const MAIN = resolve(import.meta.dirname, '../../local-platform/dist/main.js');
/** The ports of a platform without an offset. */
export const PLATFORM_PORTS = [8080, 8081, 8082, 8083, 8084, 8090, 8091, 9090, 9091, 9092, 9093, 9094];

/** The used fields of platform.json. */
interface Platform {
  urls: { enterprise_manager: string; identity_provider: string };
  issuer: string;
}

/** A real local platform, and the command line with its home. */
export class LocalPlatform {
  readonly gatehouse: Gatehouse;
  readonly urls: Platform['urls'];
  readonly #process: TestProcess;

  private constructor(gatehouse: Gatehouse, urls: Platform['urls'], running: TestProcess) {
    this.gatehouse = gatehouse;
    this.urls = urls;
    this.#process = running;
  }

  /**
   * Starts the platform. Tries other ports when another program takes one of them.
   * @throws {Error} with the output of a failed start
   */
  static async start(): Promise<LocalPlatform> {
    const gatehouse = new Gatehouse();
    // The user of the database server must be able to enter the folder.
    chmodSync(gatehouse.home, 0o711);
    for (let attempt = 1; ; attempt += 1) {
      const running = await startProcess({
        command: [process.execPath, MAIN, '--json'],
        env: {
          GATEHOUSE_HOME: gatehouse.home,
          GATEHOUSE_PORT_OFFSET: String(await freePortOffset(PLATFORM_PORTS)),
          ...compileCache,
        },
      });
      const ended = await firstLineOrEnd(running);
      if (ended === undefined)
        return new LocalPlatform(gatehouse, (JSON.parse(running.stdout()) as Platform).urls, running);
      if (attempt === 3 || !running.stderr().includes('GATEHOUSE_PORT_OFFSET='))
        throw new Error(`the platform ended: ${running.stderr()}`);
    }
  }

  /** Stops the platform and keeps the home. */
  async halt(): Promise<void> {
    await this.#process.stop();
  }

  async stop(): Promise<void> {
    await this.halt();
    // On a busy machine the supervisor is killed before its services have ended. They still write.
    rmSync(this.gatehouse.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  password(name: string): string {
    const { users } = JSON.parse(readFileSync(join(this.gatehouse.home, 'credentials.json'), 'utf8')) as {
      users: { name: string; password: string }[];
    };
    return users.find((user) => user.name === name)?.password ?? '';
  }

  /** Signs in with the browser flow, without a browser window. */
  async login(name: string, ...args: string[]): Promise<Ended> {
    const running = this.gatehouse.begin(['login', '--no-browser', ...args], { GATEHOUSE_SESSION_STORE: 'file' });
    await this.approve(await addressIn(running), name);
    return running.ended;
  }

  /** Signs a user in at the address of a browser sign-in. @returns the last page */
  async approve(address: string, name: string, password = this.password(name)): Promise<string> {
    const browser = new Browser();
    const page = await browser.open(address);
    return (await browser.submit(page.url, { login: name, password })).html;
  }

  /** Enters a device code as a user. @param accept false cancels @returns the last page */
  async approveDevice(code: string, name: string, accept = true): Promise<string> {
    const browser = new Browser();
    const device = `${this.urls.identity_provider}/device`;
    const entry = await browser.open(device);
    const fields = { xsrf: hiddenField(entry.html, 'xsrf'), user_code: code };
    const confirm = await browser.submit(device, fields);
    const decision = accept ? { confirm: 'yes' } : { abort: 'yes' };
    const next = await browser.submit(device, { ...fields, xsrf: hiddenField(confirm.html, 'xsrf'), ...decision });
    if (!accept) return next.html;
    return (await browser.submit(next.url, { login: name, password: this.password(name) })).html;
  }
}

/** Waits until a process has written a line. @returns its exit, if it ended before */
async function firstLineOrEnd(running: TestProcess): Promise<unknown> {
  while (!running.stdout().includes('\n')) {
    const ended = await Promise.race([
      running.exited,
      new Promise<undefined>((wake) => setTimeout(() => wake(undefined), 100)),
    ]);
    if (ended !== undefined) return ended;
  }
  return undefined;
}

/** Returns the address that a command asks the user to open. */
export async function addressIn(running: Running, pattern = /^ {2}(http\S+)$/m): Promise<string> {
  for (;;) {
    const found = pattern.exec(running.stderr())?.[1];
    if (found !== undefined) return found;
    const ended = await Promise.race([
      running.ended,
      new Promise<undefined>((wake) => setTimeout(() => wake(undefined), 20)),
    ]);
    if (ended) throw new Error(`it ended with ${ended.code ?? 'a signal'}: ${ended.stderr}`);
  }
}

/** Returns the command lines of the processes of a platform. Zombies have none. */
export function listPlatformProcesses(home: string): string[] {
  const read = (pid: string, name: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      const isService = read(pid, 'environ').split('\0').includes(`GATEHOUSE_HOME=${home}`);
      return isService || read(pid, 'cmdline').includes(join(home, 'postgres'));
    })
    .map((pid) => read(pid, 'cmdline').replaceAll('\0', ' ').trim())
    .filter((command) => command !== '');
}
