import { PassThrough, Writable, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { OutputDemultiplexer } from './container-output.ts';
import { createContainer, removeContainer, startContainer, waitForExit } from './containers.ts';
import type { Engine } from './engine.ts';
import type { ServerEnd } from './workload-server.ts';

/** An MCP server on the standard streams of a container of its own. */
export interface StdioContainer {
  readonly id: string;
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when the container has ended, or the engine has let go of its streams. */
  readonly ended: Promise<ServerEnd>;
  /** Ends the container; may be called again. */
  stop(): Promise<void>;
}

/** A server whose input was closed gets this long to leave by itself. */
const LEAVE_MS = 1_000;
/** How long the engine may take to tell the exit code of a container whose output has ended. */
const CODE_MS = 2_000;

/**
 * Starts one container and attaches to its standard streams (before the start, so that not a byte
 * is missed). The container removes itself when it ends, and ends when this process dies: its input
 * closes with the attachment.
 * @param takers take what the server writes to stderr, and what the engine warns of
 */
export async function startStdioContainer(
  engine: Engine,
  name: string,
  body: unknown,
  { errors, warn }: { readonly errors: (data: Buffer) => void; readonly warn: (text: string) => void },
): Promise<StdioContainer> {
  const id = await createContainer(engine, name, body, warn);
  try {
    const { socket, head } = await engine.hijack(`/containers/${id}/attach?stream=1&stdin=1&stdout=1&stderr=1`);
    const output = new PassThrough();
    const demultiplexer = new OutputDemultiplexer((stream, data) => {
      if (stream === 'stderr') errors(data);
      // A slow reader holds the container back instead of filling our memory.
      else if (!output.write(data)) {
        socket.pause();
        output.once('drain', () => socket.resume());
      }
    });
    socket.setNoDelay(true);
    if (head.length > 0) demultiplexer.push(head);
    socket.on('data', (chunk: Buffer) => demultiplexer.push(chunk));
    socket.on('close', () => output.end());
    socket.on('error', () => output.end());
    const input = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        socket.write(chunk, (error) => done(error));
      },
      final: (done) => {
        socket.end(() => done());
      },
    });
    // A server that died while it was written to is noticed by the end of its output.
    input.on('error', () => undefined);
    const exit = waitForExit(engine, id, 'next-exit').then(
      (code): ServerEnd => (code === undefined ? { kind: 'removed' } : { kind: 'exited', code }),
      (): ServerEnd => ({ kind: 'lost' }),
    );
    const closed = new Promise<void>((done) => socket.on('close', () => done()));
    await startContainer(engine, id);
    const ended = closed.then(async () => {
      const end = await Promise.race([exit, sleep(CODE_MS, { kind: 'lost' } as const)]);
      // Detached but not ended (the engine was restarted, say): nobody could speak to it any more.
      await removeContainer(engine, id).catch(() => undefined);
      return end;
    });
    let stopping: Promise<void> | undefined;
    const stop = async () => {
      input.end();
      const left = await Promise.race([ended.then(() => true), sleep(LEAVE_MS, false)]);
      if (left) return;
      await removeContainer(engine, id);
      socket.destroy();
      await ended;
    };
    return { id, input, output, ended, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await removeContainer(engine, id).catch(() => undefined);
    throw error;
  }
}
