import { PassThrough, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { OutputDemultiplexer } from './container-output.ts';
import { createContainer, removeContainer, startContainer, waitForExit } from './containers.ts';
import type { Engine } from './engine.ts';
import type { ServerEnd, ServerProcess } from '../runtime/workload-server.ts';

/** A server on the standard streams of its own container. */
export interface StdioContainer extends ServerProcess {
  readonly id: string;
}

/** Receives the output of a container besides its client. */
export interface OutputObserver {
  readonly output: (data: Buffer) => void;
  readonly errors: (data: Buffer) => void;
}

/** The caller's part in the start of a container, and the receivers of its other output. */
interface Receivers {
  /** Called with the id of the container before its start. */
  readonly prepare: (id: string) => Promise<void>;
  readonly output: OutputObserver['output'] | undefined;
  readonly errors: OutputObserver['errors'];
  /** Receives the warnings of the engine. */
  readonly warn: (text: string) => void;
}

/** Time in which a server must end after its input was closed. */
const END_MS = 1_000;
/** Maximum time until the engine reports the exit code after the end of the output. */
const EXIT_CODE_MS = 2_000;

/**
 * Starts one container and attaches to its standard streams, before the start, so that no output is
 * lost. The engine removes the container at its end. The container ends with this process, because
 * its input closes with the attachment.
 */
export async function startStdioContainer(
  engine: Engine,
  name: string,
  body: unknown,
  receivers: Receivers,
): Promise<StdioContainer> {
  const id = await createContainer(engine, name, body, receivers.warn);
  try {
    const { socket, head } = await engine.hijack(`/containers/${id}/attach?stream=1&stdin=1&stdout=1&stderr=1`);
    const output = new PassThrough();
    const demultiplexer = new OutputDemultiplexer((stream, data) => {
      if (stream === 'stderr') {
        receivers.errors(data);
        return;
      }
      receivers.output?.(data);
      // A slow reader pauses the container, so that the memory does not grow.
      if (!output.write(data)) {
        socket.pause();
        output.once('drain', () => socket.resume());
      }
    });
    socket.setNoDelay(true);
    if (head.length > 0) demultiplexer.push(head);
    socket.on('data', (chunk: Buffer) => demultiplexer.push(chunk));
    for (const event of ['close', 'error']) socket.on(event, () => output.end());
    const input = new Writable({
      write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, (error) => done(error)),
      final: (done) => void socket.end(() => done()),
    });
    // The end of the output reports a server that ended during a write.
    input.on('error', () => undefined);
    const exit = waitForExit(engine, id, 'next-exit').then(
      (code): ServerEnd => (code === undefined ? { kind: 'removed' } : { kind: 'exited', code }),
      (): ServerEnd => ({ kind: 'lost' }),
    );
    const closed = new Promise<void>((done) => socket.on('close', () => done()));
    await receivers.prepare(id);
    await startContainer(engine, id);
    let isForced = false;
    const ended = closed.then(async (): Promise<ServerEnd> => {
      const end = await Promise.race([exit, sleep(EXIT_CODE_MS, { kind: 'lost' } as const)]);
      // The streams can close before the container ends, for example when the engine restarts. Such
      // a container is useless.
      await removeContainer(engine, id).catch(() => undefined);
      return isForced ? { kind: 'removed' } : end;
    });
    let stopping: Promise<void> | undefined;
    const stop = async () => {
      input.end();
      const hasEnded = await Promise.race([ended.then(() => true), sleep(END_MS, false)]);
      if (hasEnded) return;
      isForced = true;
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
