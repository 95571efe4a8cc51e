import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { olderPartOf } from './bounded-log.ts';
import { OutputDemultiplexer, type OutputStream } from './container-output.ts';
import type { Engine } from './engine.ts';

/** Takes a piece of log. */
export type TakeLog = (stream: OutputStream, data: Buffer) => void;

const POLL_MS = 200;

/** When a file was last written; undefined when there is none. */
async function changeOf(path: string): Promise<bigint | undefined> {
  return (await stat(path, { bigint: true }).catch(() => undefined))?.mtimeNs;
}

/** Reads from a place to the end. @returns the place of the end */
async function readOn(file: FileHandle, from: number, take: TakeLog, abort: AbortSignal): Promise<number> {
  for (let at = from; ;) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64 * 1024), position: at });
    if (bytesRead === 0 || abort.aborted) return at;
    take('stdout', buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/**
 * Reads a log file; with `follow` also what is written to it afterwards, until aborted or removed.
 * A file that is not there (yet) is an empty one.
 */
export async function readLogFile(path: string, follow: boolean, take: TakeLog, abort: AbortSignal): Promise<void> {
  let file: FileHandle | undefined;
  let seen: bigint | undefined;
  let at = 0;
  try {
    for (;;) {
      file ??= await open(path, 'r').catch(() => undefined);
      // The older part is written when the log begins anew: what of it was not read yet comes
      // first.
      const turned = await changeOf(olderPartOf(path));
      if (turned !== seen) {
        seen = turned;
        const older = await open(olderPartOf(path), 'r');
        await readOn(older, at, take, abort).finally(() => older.close());
        at = 0;
      }
      if (file) at = await readOn(file, at, take, abort);
      if (!follow || abort.aborted || (file && (await file.stat()).nlink === 0)) return;
      await sleep(POLL_MS, undefined, { signal: abort }).catch(() => undefined);
    }
  } finally {
    await file?.close();
  }
}

/** Reads a container's output; with `follow` until it ends or the reading is aborted. */
export async function readContainerLog(
  engine: Engine,
  id: string,
  follow: boolean,
  take: TakeLog,
  abort: AbortSignal,
): Promise<void> {
  const demultiplexer = new OutputDemultiplexer(take);
  const response = await engine.stream(
    'GET',
    `/containers/${id}/logs?stdout=1&stderr=1&follow=${follow ? 1 : 0}`,
    undefined,
    abort,
  );
  try {
    for await (const chunk of response) demultiplexer.push(chunk as Buffer);
  } catch (error) {
    if (!abort.aborted) throw error;
  }
}
