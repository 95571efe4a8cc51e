import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { OutputDemultiplexer, type OutputStream } from './container-output.ts';
import type { Engine } from './engine.ts';

/** Takes a piece of log. */
export type TakeLog = (stream: OutputStream, data: Buffer) => void;

const POLL_MS = 200;

/**
 * Reads a log file; with `follow` also what is written to it afterwards, until aborted or removed.
 * A file that is not there (yet) is an empty one.
 */
export async function readLogFile(path: string, follow: boolean, take: TakeLog, abort: AbortSignal): Promise<void> {
  let file: FileHandle | undefined;
  try {
    for (;;) {
      file ??= await open(path, 'r').catch(() => undefined);
      for (;;) {
        const part = await file?.read({ buffer: Buffer.alloc(64 * 1024) });
        if (!part || part.bytesRead === 0) break;
        take('stdout', part.buffer.subarray(0, part.bytesRead));
      }
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
