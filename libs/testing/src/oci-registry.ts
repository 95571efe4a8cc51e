import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from './engine.ts';
import { available, type Fixture, unavailable } from './fixture.ts';
import { freePort } from './ports.ts';
import { startProcess } from './process.ts';

const PROGRAM = '/usr/bin/docker-registry';

/** The only user of the registry. */
export const REGISTRY_USER = { username: 'reader', password: 'registry-canary-5d1f' };
/** bcrypt of its password, as `htpasswd -nbB` prints it. */
const HTPASSWD = 'reader:$2y$05$hbhv.xAlD00cVIf0LMnkW.CqcrLoQY2rYpwTRLLnphU19Au62P7c.\n';

/** The options of a registry. */
export interface OciRegistryOptions {
  /** Whether reading needs {@link REGISTRY_USER}; default false. */
  readonly signIn?: boolean;
  /** Paths of a certificate and its key in PEM; without them the registry speaks http. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

/** A running registry of images. */
export interface OciRegistry {
  /** `127.0.0.1:PORT`, the first part of image references. */
  readonly host: string;
  readonly url: string;
  /** Pushes a local image. @returns its reference in this registry */
  push(engine: Engine, image: string, repository: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts Debian's docker-registry with an empty store. */
export async function startOciRegistry(options: OciRegistryOptions = {}): Promise<OciRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'oci-registry-'));
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const { signIn = false, tls } = options;
  writeFileSync(join(folder, 'htpasswd'), HTPASSWD);
  const config = {
    version: 0.1,
    log: { level: 'warn' },
    storage: { filesystem: { rootdirectory: join(folder, 'store') }, delete: { enabled: true } },
    http: { addr: host, ...(tls && { tls: { certificate: tls.certificate, key: tls.key } }) },
    ...(signIn && { auth: { htpasswd: { realm: 'test', path: join(folder, 'htpasswd') } } }),
  };
  writeFileSync(join(folder, 'config.yml'), JSON.stringify(config));
  const url = `${tls ? 'https' : 'http'}://${host}`;
  const program = await startProcess({
    command: [PROGRAM, 'serve', join(folder, 'config.yml')],
    readyUrl: `http://${host}/`,
  });
  return {
    host,
    url,
    push: (engine, image, repository) => push(engine, image, `${host}/${repository}`),
    stop: async () => {
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether this machine has the registry. */
export const ociRegistry = (): Fixture<typeof startOciRegistry> =>
  existsSync(PROGRAM)
    ? available(startOciRegistry)
    : unavailable('The machine has no registry: apt-get install docker-registry (tools/testbed/prepare.mjs does it).');

async function push({ docker }: Engine, image: string, target: string): Promise<string> {
  const colon = target.lastIndexOf(':');
  await docker.getImage(image).tag({ repo: target.slice(0, colon), tag: target.slice(colon + 1) });
  const authconfig = { ...REGISTRY_USER, serveraddress: target.split('/')[0] ?? '' };
  const stream = await docker.getImage(target).push({ authconfig });
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(stream, (error: Error | null, events: { error?: string }[]) => {
      const failure = error?.message ?? events.find((event) => event.error)?.error;
      if (failure === undefined) resolve();
      else reject(new Error(`The image could not be pushed: ${failure}`));
    });
  });
  await docker.getImage(target).remove();
  return target;
}
