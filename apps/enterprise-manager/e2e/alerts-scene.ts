import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { TestManager } from './enterprise-manager.ts';

/** Allows alerts with loopback targets, for the receivers of a test. */
export const LOOPBACK = { ALLOW_LOOPBACK_UPSTREAMS: 'true' };

/** The response of an alert. */
export interface MadeAlert {
  id: string;
  name: string;
  url: string;
  enabled: boolean;
  thresholds: number[];
  secret: string;
  previous_secret_valid_until?: string;
  error: string;
}

/** The response of a delivery. */
export interface MadeDelivery {
  id: string;
  alert_id: string;
  sequence: number;
  kind: 'crossing' | 'test';
  subject_id: string;
  state: 'pending' | 'delivered' | 'failed';
  threshold_percent: number;
  attempts: { at: string; status?: number; error?: string }[];
  next_attempt_at?: string;
  created_at: string;
  error: string;
}

/** A delivery as a receiver gets it. */
export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  /** The unparsed body. */
  text: string;
  event: { type: string; timestamp: string; data: Record<string, unknown> };
}

/** An HTTP server that receives webhooks. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Sets how it responds from now on; default: 204. */
  respondWith(respond: (response: ServerResponse, received: Received) => void): void;
  close(): void;
}

/** Starts a receiver on a loopback address. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let writeResponse = (response: ServerResponse, _: Received): void => void response.writeHead(204).end();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const event = JSON.parse(text) as Received['event'];
      const delivery = { id: String(request.headers['webhook-id']), headers: request.headers, text, event };
      received.push(delivery);
      writeResponse(response, delivery);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    respondWith: (respond) => {
      writeResponse = respond;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Verifies a delivery as receivers do. @param now time of the receiver. @returns its event */
export function verifyDelivery(secret: string, { text, headers }: Received, now = Date.now()): unknown {
  const real = Date.now;
  Date.now = () => now;
  try {
    return new Webhook(secret).verify(text, headers as Record<string, string>);
  } finally {
    Date.now = real;
  }
}

/** Creates an alert. */
export async function makeAlert({ client, tokens }: TestManager, body: object): Promise<MadeAlert> {
  const response = await client.call<MadeAlert>('POST /v1/budgets/alerts', {
    token: tokens.admin,
    body: { name: 'An alert', thresholds: [50, 80, 100], allow_private_ips: true, ...body },
  });
  if (response.status !== 201) throw new Error(`the alert was not created: ${JSON.stringify(response.body)}`);
  return response.body;
}

/** Lists all deliveries of an alert, newest first. */
export async function listDeliveries({ client, tokens }: TestManager, id: string): Promise<MadeDelivery[]> {
  const response = await client.call<{ items: MadeDelivery[] }>('GET /v1/budgets/alerts/{id}/deliveries', {
    token: tokens.auditor,
    path: { id },
    query: { limit: 200 },
  });
  return response.body.items;
}

/** Sets the usage of a cell of this month without a detection of crossings. */
export async function setUsage({ sql }: TestManager, subjectId: string, usd: string, scope = 'user'): Promise<void> {
  await sql(
    `INSERT INTO budget_cells AS c (subject_id, scope, period, period_start, used_usd)
     VALUES ($1, $2, 'month', date_trunc('month', now() AT TIME ZONE 'UTC')::date, $3)
     ON CONFLICT (subject_id, scope, period, period_start) DO UPDATE SET used_usd = EXCLUDED.used_usd`,
    [subjectId, scope, usd],
  );
}
