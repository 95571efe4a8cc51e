import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A usage report as the manager received it. */
export type ReceivedReport = Readonly<Record<string, unknown>> & {
  readonly interaction_id: string;
  readonly attempt: number;
};

/** An enterprise manager that keeps the first report of each attempt. */
export interface StrictManager {
  readonly url: string;
  /** The first reports by the key of their attempts. */
  readonly charged: ReadonlyMap<string, ReceivedReport>;
  /** Keys of attempts that were reported again with other content. */
  readonly conflicts: readonly string[];
  /** Decides which responses are lost after the reports were kept. */
  losesResponse: () => boolean;
  receive(reports: readonly ReceivedReport[]): { status: string }[];
  /** Forgets all reports. */
  forget(): void;
  close(): Promise<void>;
}

/** The key of an attempt. */
export const getKey = ({ interaction_id, attempt }: { readonly interaction_id: string; readonly attempt: number }) =>
  `${interaction_id} ${attempt}`;

/** Starts a manager that charges each attempt once, as spec 7 says. */
export async function startStrictManager(): Promise<StrictManager> {
  const charged = new Map<string, ReceivedReport>();
  const conflicts: string[] = [];
  const receive = (reports: readonly ReceivedReport[]) =>
    reports.map((report) => {
      const key = getKey(report);
      const first = charged.get(key);
      if (first === undefined) {
        charged.set(key, report);
        return { status: 'charged', charged_usd: '0.000000001', basis: 'reported' };
      }
      if (JSON.stringify(first) === JSON.stringify(report)) return { status: 'duplicate' };
      conflicts.push(key);
      return { status: 'conflict', error: 'other content' };
    });
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const results = receive(JSON.parse(text) as ReceivedReport[]);
      if (manager.losesResponse()) response.destroy();
      else response.end(JSON.stringify({ results }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const manager: StrictManager = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    charged,
    conflicts,
    losesResponse: () => false,
    receive,
    forget: () => charged.clear(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return manager;
}
