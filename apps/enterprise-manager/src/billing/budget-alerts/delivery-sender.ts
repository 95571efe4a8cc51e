import { DEFAULT_LIMITS, openEgress } from '@gatehouse/egress/egress';
import { refusalIn } from '@gatehouse/egress/egress-refusal';
import { explainDial } from '@gatehouse/egress/explain';
import { resolveHostname, type Resolve } from '@gatehouse/egress/resolve';
import { Webhook } from 'standardwebhooks';
import { targetOf } from './alert-target.ts';
import { readRetryAfter } from './retry-schedule.ts';

/** Longest time for one attempt, from the look-up of the name to the head of the answer. */
export const ATTEMPT_MS = 15_000;

/** What is sent, and where to. */
export interface Sent {
  /** The same for every attempt of a delivery: by it a receiver knows a repeat. */
  id: string;
  body: string;
  url: string;
  allow_private_ips: boolean;
}

/**
 * What a target did. `error` is a sentence without anything that the target sent; without it the
 * attempt succeeded.
 */
export interface SendResult {
  status?: number;
  error?: string;
  /** Wait that the target asked for, in milliseconds. */
  askedMs?: number;
}

/** How an attempt differs from the usual one. */
interface SendOptions {
  allowLoopback: boolean;
  /** Ends the attempt, which then rejects. */
  signal?: AbortSignal;
  timeoutMs?: number;
  resolve?: Resolve;
}

/**
 * The headers of an attempt (Standard Webhooks, "Webhook headers"): one signature for each secret,
 * the current one's first.
 * @param now time of this attempt
 */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly Uint8Array[],
  now: Date,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'gatehouse',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret, { format: 'raw' }).sign(id, now, body)).join(' '),
  };
}

/**
 * Makes one attempt. Only 2xx is success; a redirect is not followed; the body of the answer is not
 * read. Each dial judges the address of the target.
 * @throws when `signal` ends it
 */
export async function send(
  { id, body, url: typed, allow_private_ips }: Sent,
  secrets: readonly Uint8Array[],
  now: Date,
  { allowLoopback, signal, timeoutMs = ATTEMPT_MS, resolve = resolveHostname }: SendOptions,
): Promise<SendResult> {
  const deadline = AbortSignal.timeout(timeoutMs);
  let closed: Promise<void> | undefined;
  try {
    const { url, permission } = targetOf({ url: typed, allow_private_ips }, allowLoopback);
    const egress = openEgress(permission, { limits: { ...DEFAULT_LIMITS, maxRedirects: 0 }, resolve });
    try {
      const answer = await egress.fetch(url, {
        method: 'POST',
        headers: signedHeaders(id, body, secrets, now),
        body,
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      });
      return resultOf(answer, url, now);
    } catch (error) {
      if (signal?.aborted === true) throw error;
      if (deadline.aborted) return { error: `${url.host} did not answer in ${timeoutMs / 1_000} s` };
      if (refusalIn(error)?.rule === 'redirect')
        return {
          error: `${url.host} answers with a redirect, which is not followed; give the alert its final address`,
        };
      return { error: explainDial(error, url).sentence };
    } finally {
      closed = egress.close();
    }
  } catch (error) {
    if (signal?.aborted === true) throw error;
    const refused = refusalIn(error);
    if (refused === undefined) throw error;
    return { error: refused.message };
  } finally {
    await closed;
  }
}

function resultOf({ status, headers }: Response, { host }: URL, now: Date): SendResult {
  if (status >= 200 && status < 300) return { status };
  const askedMs = status === 429 || status === 503 ? readRetryAfter(headers.get('retry-after'), now) : undefined;
  return { status, error: `${host} answers HTTP ${status}`, ...(askedMs !== undefined && { askedMs }) };
}
