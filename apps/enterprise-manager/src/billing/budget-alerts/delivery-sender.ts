import { DEFAULT_LIMITS, openEgress } from '@gatehouse/egress/egress';
import { findRefusal } from '@gatehouse/egress/egress-refusal';
import { explainDial } from '@gatehouse/egress/explain';
import { resolveHostname, type HostnameResolver } from '@gatehouse/egress/resolve';
import { Webhook } from 'standardwebhooks';
import { parseTarget } from './alert-target.ts';
import { parseRetryAfter } from './retry-schedule.ts';

/** Maximum duration of an attempt, from the DNS lookup to the head of the response. */
export const ATTEMPT_MS = 15_000;

/** A delivery to send. */
export interface OutgoingDelivery {
  /** Equal in all attempts of a delivery, so that receivers can detect repeated deliveries. */
  id: string;
  body: string;
  url: string;
  allow_private_ips: boolean;
}

/**
 * The result of an attempt. It succeeded without `error`, which is a sentence without any data from
 * the target.
 */
export interface SendResult {
  status?: number;
  error?: string;
  /** Wait that the target requested, in milliseconds. */
  retryAfterMs?: number;
}

/** The options of an attempt. */
interface SendOptions {
  allowLoopback: boolean;
  /** Aborts the attempt, which then rejects. */
  signal?: AbortSignal;
  timeoutMs?: number;
  resolve?: HostnameResolver;
}

/**
 * Creates the headers of an attempt (Standard Webhooks, "Webhook headers"), with one signature for
 * each secret, the current one first.
 * @param now time of this attempt
 */
export function createHeaders(
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
 * Makes one attempt. Only 2xx is a success; redirects are not followed, and the body of the
 * response is not read. Each connection checks the address of the target.
 * @throws when `signal` aborts it
 */
export async function sendDelivery(
  { id, body, url: input, allow_private_ips }: OutgoingDelivery,
  secrets: readonly Uint8Array[],
  now: Date,
  { allowLoopback, signal, timeoutMs = ATTEMPT_MS, resolve = resolveHostname }: SendOptions,
): Promise<SendResult> {
  const deadline = AbortSignal.timeout(timeoutMs);
  let closed: Promise<void> | undefined;
  try {
    const { url, permission } = parseTarget({ url: input, allow_private_ips }, allowLoopback);
    const egress = openEgress(permission, { limits: { ...DEFAULT_LIMITS, maxRedirects: 0 }, resolve });
    try {
      const response = await egress.fetch(url, {
        method: 'POST',
        headers: createHeaders(id, body, secrets, now),
        body,
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      });
      return toSendResult(response, url, now);
    } catch (error) {
      if (signal?.aborted === true) throw error;
      if (deadline.aborted) return { error: `${url.host} did not answer in ${timeoutMs / 1_000} s` };
      if (findRefusal(error)?.rule === 'redirect')
        return {
          error: `${url.host} answers with a redirect, which is not followed; give the alert its final address`,
        };
      return { error: explainDial(error, url).sentence };
    } finally {
      closed = egress.close();
    }
  } catch (error) {
    if (signal?.aborted === true) throw error;
    const refused = findRefusal(error);
    if (refused === undefined) throw error;
    return { error: refused.message };
  } finally {
    await closed;
  }
}

function toSendResult({ status, headers }: Response, { host }: URL, now: Date): SendResult {
  if (status >= 200 && status < 300) return { status };
  const canRequestWait = status === 429 || status === 503;
  const retryAfterMs = canRequestWait ? parseRetryAfter(headers.get('retry-after'), now) : undefined;
  return { status, error: `${host} answers HTTP ${status}`, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}
