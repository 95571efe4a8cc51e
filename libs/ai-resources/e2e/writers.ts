import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { fileURLToPath } from 'node:url';

/** A line of writer.mjs: a write that has begun, was done, or was refused. */
export interface WriterLine {
  readonly type: 'create' | 'patch' | 'delete' | 'increment';
  readonly phase: 'begun' | 'done' | 'refused';
  readonly name: string;
  readonly description?: string;
  readonly value?: number;
  readonly version?: string;
  readonly code?: string;
  readonly message?: string;
}

/** A process that writes resources. */
export interface Writer {
  readonly process: TestProcess;
  /** The complete lines up to now. */
  readonly lines: () => WriterLine[];
}

/** Starts a process that writes resources. @param count of writes; by default until it is killed */
export async function startWriter(folder: string, id: string, count = Number.MAX_SAFE_INTEGER): Promise<Writer> {
  const writer = await startProcess({
    command: [process.execPath, fileURLToPath(new URL('writer.mjs', import.meta.url))],
    args: [folder, id, String(count)],
  });
  const lines = () =>
    writer
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as WriterLine);
  return { process: writer, lines };
}

export const countDone = (writer: Writer): number => writer.lines().filter(({ phase }) => phase === 'done').length;
