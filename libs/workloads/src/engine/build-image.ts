import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Pack } from 'tar-stream';
import type { BuildPlan } from '../builds/build-plan.ts';
import { listSourceFiles, type LocalSource } from '../builds/local-source.ts';
import { listPullAdvice } from '../pulls/pull-advice.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import type { Engine } from './engine.ts';
import { readJsonLines } from './json-lines.ts';

/** A line of the response of a build. */
interface BuildEvent {
  readonly stream?: string;
  readonly status?: string;
  readonly error?: string;
}

/** The options of a build on an engine. */
export interface BuildCall {
  /** The variables of a proxy, such as HTTP_PROXY, which are no part of the image. */
  readonly proxyVariables: Readonly<Record<string, string>>;
  /** The headers with the credentials of the registries of base images. */
  readonly headers: Readonly<Record<string, string>>;
  /** Receives each line of output. */
  readonly output: (line: string) => void;
  readonly abort: AbortSignal;
}

/** A step after those with the base images. */
const LATER_STEP = /^step \d+\/\d+ ?: (?!from|arg)/i;

/** The base image of a build that failed before its first own step could not be obtained. */
const listBaseImageAdvice = async (engine: Engine, { dockerfile }: BuildPlan, message: string): Promise<string[]> => [
  '--runtime-image IMAGE   builds on another base image',
  ...listPullAdvice(
    message,
    /^FROM (\S+)/im.exec(dockerfile)?.[1] ?? '',
    (await engine.isPodman()) ? 'podman' : 'docker',
  ),
];

/** Lines of output that the error of a failed build contains. */
const EXCERPT_LINES = 20;

/**
 * Builds the image of a plan.
 * @throws WorkloadError (failed) with the last lines of output
 */
export async function buildImage(engine: Engine, plan: BuildPlan, call: BuildCall): Promise<void> {
  const query = new URLSearchParams({
    t: plan.image,
    rm: 'true',
    forcerm: 'true',
    buildargs: JSON.stringify(call.proxyVariables),
    labels: JSON.stringify(plan.labels),
  });
  const path = `/build?${query.toString()}`;
  const headers = { 'content-type': 'application/x-tar', ...call.headers };
  const response = await engine.upload(path, await createContext(plan), headers, call.abort);
  const last: string[] = [];
  let hasBaseImage = false;
  for await (const event of readJsonLines<BuildEvent>(response)) {
    for (const line of (event.stream ?? event.status ?? '').split('\n').filter((text) => text.trim() !== '')) {
      const text = stripVTControlCharacters(line).trimEnd();
      call.output(text);
      hasBaseImage ||= LATER_STEP.test(text);
      last.push(text);
      if (last.length > EXCERPT_LINES) last.shift();
    }
    if (event.error !== undefined)
      throw new WorkloadError(
        'failed',
        `The image could not be built: ${event.error}`,
        hasBaseImage ? [] : await listBaseImageAdvice(engine, plan, event.error),
        undefined,
        last,
      );
  }
}

/** The context of a build: the Dockerfile, its files, and the source in a folder of that name. */
async function createContext({ dockerfile, files, source }: BuildPlan): Promise<Readable> {
  const { pack } = await import('tar-stream');
  const context = pack();
  for (const { name, content } of [{ name: 'Dockerfile', content: dockerfile }, ...files])
    context.entry({ name, mode: 0o644, mtime: new Date(0) }, content);
  writeSource(context, source).then(
    () => context.finalize(),
    (error: unknown) => context.destroy(error as Error),
  );
  return Readable.from(context);
}

async function writeSource(context: Pack, source: LocalSource | undefined): Promise<void> {
  if (source === undefined) return;
  for (const { path, isExecutable, link } of listSourceFiles(source.folder)) {
    const header = { name: `source/${path}`, mtime: new Date(0) };
    if (link !== undefined) context.entry({ ...header, type: 'symlink', linkname: link });
    else context.entry({ ...header, mode: isExecutable ? 0o755 : 0o644 }, await readFile(join(source.folder, path)));
  }
}
