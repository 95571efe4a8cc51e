import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { getOlderPart } from './files/bounded-log.ts';
import type { LogConsumer } from './runtime/runtime.ts';

const POLL_MS = 200;

/** Returns the time of the last change of a file; undefined when there is none. */
async function getLastChange(path: string): Promise<bigint | undefined> {
  return (await stat(path, { bigint: true }).catch(() => undefined))?.mtimeNs;
}

/** Reads from an offset to the end. @returns the offset of the end */
async function readToEnd(file: FileHandle, from: number, take: LogConsumer, abort: AbortSignal): Promise<number> {
  for (let at = from; ;) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64 * 1024), position: at });
    if (bytesRead === 0 || abort.aborted) return at;
    take('stdout', buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/**
 * Reads a log file; with `follow` also later lines, until it is aborted or the file is removed. A
 * missing file counts as empty.
 */
export async function readLogFile(path: string, follow: boolean, take: LogConsumer, abort: AbortSignal): Promise<void> {
  let file: FileHandle | undefined;
  let seen: bigint | undefined;
  let at = 0;
  try {
    for (;;) {
      file ??= await open(path, 'r').catch(() => undefined);
      // A full log has moved to the older part; its unread end comes first.
      const rotated = await getLastChange(getOlderPart(path));
      if (rotated !== seen) {
        seen = rotated;
        const older = await open(getOlderPart(path), 'r');
        await readToEnd(older, at, take, abort).finally(() => older.close());
        at = 0;
      }
      if (file) at = await readToEnd(file, at, take, abort);
      if (!follow || abort.aborted || (file && (await file.stat()).nlink === 0)) return;
      await sleep(POLL_MS, undefined, { signal: abort }).catch(() => undefined);
    }
  } finally {
    await file?.close();
  }
}
