import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatHost } from '@gatehouse/egress/host';
import { answerReserved } from '../reserved-paths.ts';
import type { ProxyOptions } from '../pipeline/options.ts';

/** The port of metrics of OpenTelemetry. */
const DEFAULT_PORT = 9_464;

/** A listener for `/metrics` alone. */
export interface DiagnosticsServer {
  /** The address of the metrics. */
  readonly url: string;
  close(): void;
}

/** Serves `/metrics` on a port of its own. @param port 0: 9464, or a free one where it is taken */
export async function openDiagnostics(
  metrics: NonNullable<ProxyOptions['metrics']>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<DiagnosticsServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    if (path === '/metrics') void answerReserved(request, path, response, { metrics });
    else response.writeHead(404).end();
  });
  const listen = (chosen: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(chosen, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  try {
    await listen(port || DEFAULT_PORT);
  } catch (error) {
    if (port !== 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await listen(0);
  }
  const { port: used } = server.address() as AddressInfo;
  return {
    url: `http://${formatHost(host)}:${used}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
