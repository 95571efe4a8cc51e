import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Pack } from 'tar-stream';
import { LAYER_LABEL } from '../builds/dockerfile.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { inspectImage } from './containers.ts';
import type { Engine } from './engine.ts';
import { readJsonLines } from './json-lines.ts';

/** The program in an image of this command line. */
export const PROGRAM_PATH = '/app/main.mjs';

/** Part of the name of each image. Change it together with the recipe. */
const RECIPE = 3;
/** The base image for engines that cannot run the Node of this machine. */
const NODE_IMAGE = 'node:24-alpine';
/** Libraries that the C library of Debian loads by name to look names up. */
const LOOKUP_LIBRARIES = ['libnss_files.so.2', 'libnss_dns.so.2', 'libresolv.so.2'];

/** A program of this command line that runs in containers. */
export interface ContainerProgram {
  /** The URL of its module, which imports only modules of Node. */
  readonly url: string;
  /** The repository of its image, without a tag. */
  readonly repository: string;
  /** The purpose of the image, as in `the image of network isolation`. */
  readonly purpose: string;
  /** Names of labels whose value is the name of the image. */
  readonly labels: readonly string[];
  /** Advice when the build fails. */
  readonly tryNext: readonly string[];
}

/** The image of a program. */
interface ProgramImage {
  readonly name: string;
  /** Whether it has the Node of this machine, or that of {@link NODE_IMAGE}. */
  readonly hasOwnNode: boolean;
}

/** Names the image of a program for an engine. Its content decides the name. */
export async function nameProgramImage(engine: Engine, program: ContainerProgram): Promise<ProgramImage> {
  const { Os, Arch } = await engine.getVersion();
  const hasOwnNode = process.platform === 'linux' && Os === 'linux' && Arch === getEngineArchitecture();
  const node = hasOwnNode ? [process.version, process.arch, statSync(process.execPath).size] : [NODE_IMAGE];
  const hash = createHash('sha256').update(JSON.stringify([RECIPE, ...node]));
  hash.update(readProgram(program));
  return { name: `${program.repository}:${hash.digest('hex').slice(0, 16)}`, hasOwnNode };
}

const readProgram = ({ url }: ContainerProgram): Buffer => readFileSync(fileURLToPath(url));

const getEngineArchitecture = (): string => ({ x64: 'amd64', ia32: '386' })[process.arch as string] ?? process.arch;

/**
 * Builds the image of a program unless the engine has it: the Node of this command line with its
 * libraries and the program. Nothing is pulled, except where the engine cannot run this Node.
 * @returns the name of the image
 */
export async function ensureProgramImage(
  engine: Engine,
  program: ContainerProgram,
  progress: (text: string) => void,
  abort: AbortSignal = new AbortController().signal,
): Promise<string> {
  const image = await nameProgramImage(engine, program);
  if ((await inspectImage(engine, image.name)) !== undefined) return image.name;
  progress(`building the image of ${program.purpose}`);
  const labels = Object.fromEntries(program.labels.map((label) => [label, image.name]));
  const query = new URLSearchParams({
    ...{ t: image.name, rm: 'true', forcerm: 'true' },
    labels: JSON.stringify({ gatehouse: 'true', ...labels }),
  });
  const context = await createContext(program, image);
  const headers = { 'content-type': 'application/x-tar' };
  const response = await engine.upload(`/build?${query.toString()}`, context, headers, abort);
  for await (const event of readJsonLines<{ error?: string }>(response)) {
    if (event.error !== undefined)
      throw new WorkloadError(
        'failed',
        `The image of ${program.purpose} could not be built: ${event.error}`,
        program.tryNext,
      );
  }
  return image.name;
}

async function createContext(program: ContainerProgram, { hasOwnNode }: ProgramImage): Promise<Readable> {
  const { pack } = await import('tar-stream');
  const context = pack();
  const base = hasOwnNode ? ['FROM scratch', 'COPY root/ /'] : [`FROM ${NODE_IMAGE}`];
  const node = hasOwnNode ? '/node' : 'node';
  const [from = '', ...copies] = base;
  const label = `LABEL ${LAYER_LABEL}=true`;
  const dockerfile = [
    from,
    label,
    ...copies,
    'COPY app/ /app/',
    'USER 65534:65534',
    `ENTRYPOINT ["${node}", "${PROGRAM_PATH}"]`,
  ];
  fill(context, program, dockerfile.join('\n'), hasOwnNode).then(
    () => context.finalize(),
    (error: unknown) => context.destroy(error as Error),
  );
  return Readable.from(context);
}

async function fill(context: Pack, program: ContainerProgram, dockerfile: string, hasOwnNode: boolean): Promise<void> {
  context.entry({ name: 'Dockerfile', mtime: new Date(0) }, dockerfile);
  context.entry({ name: PROGRAM_PATH.slice(1), mode: 0o644, mtime: new Date(0) }, readProgram(program));
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
