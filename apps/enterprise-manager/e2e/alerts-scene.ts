import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { TestManager } from './enterprise-manager.ts';

/** Lets alerts point at the receivers of a test. */
export const LOOPBACK = { ALLOW_LOOPBACK_UPSTREAMS: 'true' };

/** An alert as it is answered. */
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

/** A delivery as it is answered. */
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

/** A delivery that a receiver got. */
export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  /** As it came. */
  text: string;
  event: { type: string; timestamp: string; data: Record<string, unknown> };
}

/** A receiver of webhooks. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** How it answers from now on; default is 204. */
  answer(how: (response: ServerResponse, received: Received) => void): void;
  close(): void;
}

/** Starts a receiver on this machine. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer = (response: ServerResponse, _: Received): void => void response.writeHead(204).end();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const event = JSON.parse(text) as Received['event'];
      const got = { id: String(request.headers['webhook-id']), headers: request.headers, text, event };
      received.push(got);
      answer(response, got);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (how) => {
      answer = how;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The event of a delivery, verified as receivers do. @param now what time the receiver has */
export function verified(secret: string, { text, headers }: Received, now = Date.now()): unknown {
  const real = Date.now;
  Date.now = () => now;
  try {
    return new Webhook(secret).verify(text, headers as Record<string, string>);
  } finally {
    Date.now = real;
  }
}

/** Makes an alert. */
export async function makeAlert({ client, tokens }: TestManager, body: object): Promise<MadeAlert> {
  const answer = await client.call<MadeAlert>('POST /v1/budgets/alerts', {
    token: tokens.admin,
    body: { name: 'An alert', thresholds: [50, 80, 100], allow_private_ips: true, ...body },
  });
  if (answer.status !== 201) throw new Error(`no alert was made: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** All deliveries of an alert, newest first. */
export async function deliveriesOf({ client, tokens }: TestManager, id: string): Promise<MadeDelivery[]> {
  const answer = await client.call<{ items: MadeDelivery[] }>('GET /v1/budgets/alerts/{id}/deliveries', {
    token: tokens.auditor,
    path: { id },
    query: { limit: 200 },
  });
  return answer.body.items;
}

/** Waits for what a replica does by itself. */
export async function eventually(look: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (await look()) return;
    await sleep(50);
  }
  throw new Error(`it did not happen: ${what}`);
}

/** Puts what is used into a cell of this month as if it had been there before, unseen. */
export async function usedBefore({ sql }: TestManager, subjectId: string, usd: string, scope = 'user'): Promise<void> {
  await sql(
    `INSERT INTO budget_cells AS c (subject_id, scope, period, period_start, used_usd)
     VALUES ($1, $2, 'month', date_trunc('month', now() AT TIME ZONE 'UTC')::date, $3)
     ON CONFLICT (subject_id, scope, period, period_start) DO UPDATE SET used_usd = EXCLUDED.used_usd`,
    [subjectId, scope, usd],
  );
}
