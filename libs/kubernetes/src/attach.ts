import { PassThrough } from 'node:stream';
import type { KubernetesClient } from './client.ts';

/** The container whose standard streams are attached. */
export interface AttachTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** The standard streams of a container. */
export interface AttachedStreams {
  readonly input: PassThrough;
  readonly output: PassThrough;
  /** Resolves when the connection is closed: the container has ended, or the API is gone. */
  readonly closed: Promise<void>;
  /** Closes the connection, and with it the input of the container. */
  close(): void;
}

/** The used members of a WebSocket. */
interface Socket {
  addEventListener(event: 'close' | 'error', listener: () => void): void;
  close(): void;
}

/**
 * Attaches to a running container. Output from before is not read.
 * @param errors receives the standard error
 * @throws Error when the API refuses it
 */
export async function attachToContainer(
  client: Pick<KubernetesClient, 'connect'>,
  { namespace, pod, container }: AttachTarget,
  errors: (data: Buffer) => void,
): Promise<AttachedStreams> {
  const { config } = await client.connect();
  const { Attach } = await import('@kubernetes/client-node');
  const [input, output, standardError] = [new PassThrough(), new PassThrough(), new PassThrough()];
  standardError.on('data', errors);
  const attaching = new Attach(config).attach(namespace, pod, container, output, standardError, input, false);
  const socket: Socket = await (attaching as Promise<Socket>).catch((event: unknown) => {
    const { message } = event as { message?: unknown };
    throw new Error(typeof message === 'string' ? message : 'the Kubernetes API refuses to attach to the pod');
  });
  const closed = new Promise<void>((resolve) => {
    const finish = () => {
      if (!output.writableEnded) output.end();
      resolve();
    };
    socket.addEventListener('close', finish);
    socket.addEventListener('error', finish);
  });
  return { input, output, closed, close: () => socket.close() };
}
