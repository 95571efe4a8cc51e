import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Pack } from 'tar-stream';
import { WorkloadError } from '../errors/workload-error.ts';
import { EGRESS_LABEL, inspectImage } from './containers.ts';
import type { Engine } from './engine.ts';
import { OPT_OUT } from './isolation-error.ts';
import { readJsonLines } from './json-lines.ts';

/** The repository of the image. No registry has this name, so that it is never pulled. */
const REPOSITORY = 'gatehouse.invalid/egress';
/** Part of the name of the image. Change it together with the recipe. */
const RECIPE = 1;
/** The base image for engines that cannot run the Node of this machine. */
const NODE_IMAGE = 'node:24-alpine';
/** Libraries that the C library of Debian loads by name to look names up. */
const LOOKUP_LIBRARIES = ['libnss_files.so.2', 'libnss_dns.so.2', 'libresolv.so.2'];

/** Finds the program of the egress container: one module without packages. */
const findProgram = (): string => fileURLToPath(import.meta.resolve('@gatehouse/workloads/isolation/sidecar'));

/** The image of egress containers. */
interface EgressImage {
  readonly name: string;
  /** Whether it has the Node of this machine, or that of {@link NODE_IMAGE}. */
  readonly hasOwnNode: boolean;
}

/** Names the image for an engine. Its content decides the name. */
export async function nameEgressImage(engine: Engine): Promise<EgressImage> {
  const { Os, Arch } = (await engine.call('GET', '/version')) as { Os?: string; Arch?: string };
  const hasOwnNode = process.platform === 'linux' && Os === 'linux' && Arch === getEngineArchitecture();
  const node = hasOwnNode ? [process.version, process.arch, statSync(process.execPath).size] : [NODE_IMAGE];
  const hash = createHash('sha256').update(JSON.stringify([RECIPE, ...node]));
  for (const { content } of listModules()) hash.update(content);
  return { name: `${REPOSITORY}:${hash.digest('hex').slice(0, 16)}`, hasOwnNode };
}

const getEngineArchitecture = (): string => ({ x64: 'amd64', ia32: '386' })[process.arch as string] ?? process.arch;

/** Lists the program and the modules beside it that it imports, by their paths. */
function listModules(): { readonly name: string; readonly content: string }[] {
  const program = findProgram();
  const root = dirname(program);
  const found = new Map<string, string>();
  const add = (file: string) => {
    if (found.has(file)) return;
    const content = readFileSync(file, 'utf8');
    found.set(file, content);
    for (const [, path = ''] of content.matchAll(/\b(?:from|import)\s*["'](\.{1,2}\/[^"']+)["']/g))
      add(join(dirname(file), path));
  };
  add(program);
  return [...found].map(([file, content]) => ({
    name: file === program ? 'app/sidecar.mjs' : join('app', file.slice(root.length + 1)),
    content,
  }));
}

/**
 * Builds the image unless the engine has it: the Node of this command line with its libraries and
 * one program. Nothing is pulled, except where the engine cannot run this Node.
 * @returns the name of the image
 */
export async function ensureEgressImage(
  engine: Engine,
  progress: (text: string) => void,
  abort?: AbortSignal,
): Promise<string> {
  const image = await nameEgressImage(engine);
  if ((await inspectImage(engine, image.name)) !== undefined) return image.name;
  progress('building the image of network isolation');
  const query = new URLSearchParams({ t: image.name, rm: 'true', forcerm: 'true' });
  const labels = JSON.stringify({ gatehouse: 'true', [EGRESS_LABEL]: image.name });
  const signal = abort ?? new AbortController().signal;
  const context = await createContext(image);
  const response = await engine.upload(
    `/build?${query.toString()}&labels=${encodeURIComponent(labels)}`,
    context,
    { 'content-type': 'application/x-tar' },
    signal,
  );
  for await (const event of readJsonLines<{ error?: string }>(response)) {
    if (event.error !== undefined)
      throw new WorkloadError('failed', `The image of network isolation could not be built: ${event.error}`, [OPT_OUT]);
  }
  return image.name;
}

async function createContext({ hasOwnNode }: EgressImage): Promise<Readable> {
  const { pack } = await import('tar-stream');
  const context = pack();
  const base = hasOwnNode ? ['FROM scratch', 'COPY root/ /'] : [`FROM ${NODE_IMAGE}`];
  const dockerfile = [...base, 'COPY app/ /app/', 'USER 65534:65534', 'ENTRYPOINT ["node", "/app/sidecar.mjs"]'];
  const withNode = dockerfile.join('\n').replace('"node"', hasOwnNode ? '"/node"' : '"node"');
  fill(context, withNode, hasOwnNode).then(
    () => context.finalize(),
    (error: unknown) => context.destroy(error as Error),
  );
  return Readable.from(context);
}

async function fill(context: Pack, dockerfile: string, hasOwnNode: boolean): Promise<void> {
  context.entry({ name: 'Dockerfile', mtime: new Date(0) }, dockerfile);
  for (const { name, content } of listModules()) context.entry({ name, mode: 0o644, mtime: new Date(0) }, content);
  if (!hasOwnNode) return;
  const files = [[process.execPath, '/node'] as const, ...listLibraries().map((path) => [path, path] as const)];
  for (const [path, target] of files) {
    const header = { name: `root${target}`, mode: 0o755, mtime: new Date(0), size: statSync(path).size };
    await pipeline(createReadStream(path), context.entry(header));
  }
}

/** Lists the shared libraries of this process, and those that it loads later. */
function listLibraries(): string[] {
  const { sharedObjects } = process.report.getReport() as { sharedObjects: string[] };
  const loaded = sharedObjects.filter((path) => path.startsWith('/') && /\/(lib|ld-)[^/]*\.so[^/]*$/.test(path));
  const systemFolder = dirname(loaded.find((path) => /\/libc\.so/.test(path)) ?? '/lib/x');
  const later = LOOKUP_LIBRARIES.map((name) => join(systemFolder, name)).filter((path) => existsSync(path));
  return [...new Set([...loaded, ...later])].filter((path) => !path.endsWith('.node'));
}
