import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BaseSource, chooseBaseSource, hasDebootstrap } from './base-source.ts';
import { cacheFolder, repositoryRoot } from './cache.ts';
import { dockerEngine, type Engine } from './engine.ts';
import { type Fixture, unavailable } from './fixture.ts';
import { withLock } from './lock.ts';

const run = promisify(execFile);
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const SUITE = 'bookworm';
/** Part of every image's hash. Change it together with the recipes below. */
const RECIPE = 1;

/**
 * The name of a local image. It contains a hash of the content, so that equal content is built
 * once.
 */
export type ImageName = string;

/**
 * The container engine for suites that use the images of this file, if the images exist or this
 * user can build them.
 */
export async function imageEngine(): Promise<Fixture<Engine>> {
  const engine = await dockerEngine();
  if (!engine.available || (await exists(engine.value, baseImageName()))) return engine;
  const source = await sourceFor(engine.value);
  return source.kind === 'none' ? unavailable(source.reason) : engine;
}

/** The CA certificates of the machine; without any, Mozilla's certificates, which Node contains. */
const certificates = (): string =>
  existsSync(CERTIFICATES) ? readFileSync(CERTIFICATES, 'utf8') : `${rootCertificates.join('\n')}\n`;

const baseImageName = (): ImageName => imageName('base', SUITE, certificates());

const sourceFor = ({ docker }: Engine): Promise<BaseSource> =>
  chooseBaseSource({
    hasImage: (image) => exists({ docker }, image),
    pull: async (image, abortSignal) => {
      await finished({ docker }, await docker.pull(image, { abortSignal }), abortSignal);
    },
    failureFile: join(cacheFolder('images'), 'pull-failed'),
    isRoot: process.getuid?.() === 0,
    hasDebootstrap,
  });

/**
 * Debian 12 with the CA certificates of the machine, so that package managers in containers reach
 * the same registries. It is built from `debian:12-slim` when the engine has or can pull it, else
 * from Debian's packages (debootstrap as root, about 30 s and 140 MB once).
 * @throws {Error} that names the missing program
 */
export async function baseImage(engine: Engine): Promise<ImageName> {
  const name = baseImageName();
  return once(engine, name, async () => {
    const source = await sourceFor(engine);
    if (source.kind === 'none') throw new Error(source.reason);
    const environment = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'PIP_CERT'].map((key) => `ENV ${key}=${CERTIFICATES}`);
    if (source.kind === 'engine') {
      await build(engine, name, (context) => {
        writeFileSync(join(context, 'certificates.crt'), certificates());
        return [`FROM ${source.image}`, `COPY certificates.crt ${CERTIFICATES}`, ...environment];
      });
    } else {
      await importDebian(engine, name, environment);
    }
  });
}

async function importDebian(engine: Engine, name: ImageName, changes: string[]): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-base-'));
  try {
    await debootstrap(root);
    for (const folder of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
      const path = join(root, folder);
      for (const entry of readdirSync(path)) rmSync(join(path, entry), { recursive: true, force: true });
    }
    writeFileSync(join(root, CERTIFICATES), certificates());
    // The root folder of an image is open to each user of its containers.
    chmodSync(root, 0o755);
    const tar = spawn('tar', ['-C', root, '--numeric-owner', '-c', '.'], { stdio: ['ignore', 'pipe', 'inherit'] });
    await finished(
      engine,
      await engine.docker.importImage(tar.stdout, { repo: getRepository(name), tag: getTag(name), changes }),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The base image with the Node 24 of this repository as `node`. */
export async function nodeImage(engine: Engine): Promise<ImageName> {
  const base = await baseImage(engine);
  const node = join(repositoryRoot, 'node_modules', 'node', 'bin', 'node');
  const name = imageName(
    'node',
    base,
    readFileSync(join(repositoryRoot, 'node_modules/node/package.json')),
    String(statSync(node).size),
  );
  return buildOnce(engine, name, (context) => {
    copyFileSync(node, join(context, 'node'));
    return [`FROM ${base}`, 'COPY node /usr/local/bin/node'];
  });
}

/**
 * The Node image with @modelcontextprotocol/server-everything, a real server of another author. The
 * argument is `stdio` (default) or `streamableHttp` (port: PORT, default 3001; path `/mcp`).
 */
export async function everythingImage(engine: Engine): Promise<ImageName> {
  const packages = await packagesImage(engine);
  return buildOnce(engine, imageName('everything', packages), () => [
    `FROM ${packages}`,
    'ENV PORT=3001',
    'EXPOSE 3001/tcp',
    'ENTRYPOINT ["node", "node_modules/@modelcontextprotocol/server-everything/dist/index.js"]',
    'CMD ["stdio"]',
  ]);
}

/** A generated MCP server with a random server name, tool names and answers. */
export interface GeneratedServer {
  image: ImageName;
  /** `serverInfo.name`. */
  serverName: string;
  /** The tool that echoes its argument `text` behind `prefix`. */
  echoTool: string;
  prefix: string;
  /** All tool names, sorted. */
  tools: string[];
  /** Removes the image and its containers. */
  remove(): Promise<void>;
}

/**
 * An image with a generated MCP server. The argument is `stdio` (default) or `streamableHttp`
 * (port: PORT, default 8080; path `/mcp`).
 */
export async function generatedServerImage(engine: Engine): Promise<GeneratedServer> {
  const word = (): string => `x${randomBytes(4).toString('hex')}`;
  const settings = {
    serverName: word(),
    echoTool: word(),
    prefix: `${word()}: `,
    otherTools: [word(), word(), word()],
  };
  const packages = await packagesImage(engine);
  const image = await buildOnce(engine, imageName('generated', packages, JSON.stringify(settings)), (context) => {
    writeFileSync(join(context, 'server.json'), JSON.stringify(settings));
    return [
      `FROM ${packages}`,
      'COPY server.json /app/server.json',
      'EXPOSE 8080/tcp',
      'ENTRYPOINT ["node", "server.mjs"]',
      'CMD ["stdio"]',
    ];
  });
  return {
    image,
    serverName: settings.serverName,
    echoTool: settings.echoTool,
    prefix: settings.prefix,
    tools: [settings.echoTool, ...settings.otherTools].sort(),
    remove: async () => {
      await engine.docker.getImage(image).remove({ force: true });
    },
  };
}

/**
 * The packages of `image/package-lock.json`, installed with the machine's npm and copied into an
 * image.
 */
async function packagesImage(engine: Engine): Promise<ImageName> {
  const source = fileURLToPath(new URL('../image/', import.meta.url));
  const files = ['package.json', 'package-lock.json', 'server.mjs'];
  const node = await nodeImage(engine);
  const name = imageName('packages', node, ...files.map((file) => readFileSync(join(source, file))));
  return buildOnce(engine, name, async (context) => {
    const app = join(context, 'app');
    cpSync(source, app, { recursive: true, filter: (path) => !path.includes('node_modules') });
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: app });
    // The user is numeric, because the image has no user of that name. Published images often do
    // this.
    return [`FROM ${node}`, 'COPY app /app', 'WORKDIR /app', 'USER 1000:1000'];
  });
}

/** Fills a build context and returns the lines of its Dockerfile. */
type ContextFiller = (context: string) => string[] | Promise<string[]>;

/** Builds an image unless the engine has it. */
export const buildOnce = (engine: Engine, name: ImageName, fill: ContextFiller): Promise<ImageName> =>
  once(engine, name, () => build(engine, name, fill));

async function build(engine: Engine, name: ImageName, fill: ContextFiller): Promise<void> {
  const context = mkdtempSync(join(tmpdir(), 'gatehouse-image-'));
  try {
    const dockerfile = await fill(context);
    writeFileSync(join(context, 'Dockerfile'), `${dockerfile.join('\n')}\n`);
    const stream = await engine.docker.buildImage(
      { context, src: readdirSync(context) },
      { t: name, labels: { 'gatehouse-test': 'true' }, forcerm: true },
    );
    await finished(engine, stream);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

async function once(engine: Engine, name: ImageName, build: () => Promise<void>): Promise<ImageName> {
  if (await exists(engine, name)) return name;
  await withLock(join(cacheFolder('images'), `${getTag(name)}.lock`), async () => {
    if (!(await exists(engine, name))) await build();
  });
  return name;
}

async function exists({ docker }: Pick<Engine, 'docker'>, name: ImageName): Promise<boolean> {
  try {
    await docker.getImage(name).inspect();
    return true;
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 404) return false;
    throw error;
  }
}

/**
 * Waits for the end of an import, a build or a pull. The engine reports a failure inside a
 * successful response.
 */
async function finished(
  { docker }: Pick<Engine, 'docker'>,
  stream: NodeJS.ReadableStream,
  signal?: AbortSignal,
): Promise<void> {
  await new Promise<void>((settle, fail) => {
    signal?.addEventListener('abort', () => fail(new Error('The engine did not finish in time.')), { once: true });
    docker.modem.followProgress(stream, (error: Error | null, events: { error?: string }[]) => {
      const failure = error?.message ?? events.find((event) => event.error)?.error;
      if (failure === undefined) settle();
      else fail(new Error(`The image could not be built: ${failure}`));
    });
  });
}

async function debootstrap(root: string): Promise<void> {
  const mirror = await debianMirror();
  const arguments_ = ['--variant=minbase', '--include=ca-certificates', SUITE, root];
  await run('debootstrap', mirror === undefined ? arguments_ : [...arguments_, mirror], {
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** The Debian mirror of the machine's own apt; undefined without one. */
async function debianMirror(): Promise<string | undefined> {
  try {
    const { stdout } = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']);
    return stdout.split('\n')[0]?.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The name of an image, with a hash of its content. */
export function imageName(kind: string, ...content: (string | Buffer)[]): ImageName {
  const hash = createHash('sha256').update(`${kind} ${RECIPE}`);
  for (const part of content) hash.update('\0').update(part);
  return `gatehouse-test/${kind}:${hash.digest('hex').slice(0, 16)}`;
}

const getRepository = (name: ImageName): string => name.slice(0, name.indexOf(':'));
const getTag = (name: ImageName): string => name.slice(name.indexOf(':') + 1);
