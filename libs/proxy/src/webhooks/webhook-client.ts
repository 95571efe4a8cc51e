import { createHmac } from 'node:crypto';
import { openEgress, type Egress } from '@gatehouse/egress/egress';
import { getAuthority, readTarget } from '@gatehouse/egress/target';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import type { WebhookOptions } from './webhook-options.ts';

/** The maximum size of a message for webhooks, and of their answers. */
export const MAX_WEBHOOK_BYTES = 1024 * 1024;

/** A webhook did not give a usable answer. */
export class WebhookError extends GatehouseError {
  override readonly code = 'webhook_failed';
  constructor(
    message: string,
    /** Whether the request is refused under each failure policy. */
    readonly isRefusal = false,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Calls one webhook. */
export class WebhookClient {
  private readonly egress: Egress;

  constructor(readonly options: WebhookOptions) {
    const { url, timeoutMs, tls, isInsecure = false } = options;
    const authority = getAuthority(readTarget(url));
    this.egress = openEgress(
      { authority, allowPrivateIps: isInsecure, allowLoopback: isInsecure },
      {
        limits: {
          ...{ connectTimeoutMs: timeoutMs, headersTimeoutMs: timeoutMs, bodyTimeoutMs: timeoutMs },
          ...{ maxResponseBytes: MAX_WEBHOOK_BYTES, maxRedirects: 0 },
        },
        tls: { ...tls, ...(isInsecure && { rejectUnauthorized: false }) },
      },
    );
  }

  /** Sends a message. @throws WebhookError */
  async call(body: string, signal: AbortSignal): Promise<JsonObject> {
    const { url, timeoutMs } = this.options;
    let response: Response;
    let text: string;
    try {
      response = await this.egress.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...this.sign(body) },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      text = await response.text();
    } catch (cause) {
      throw new WebhookError('did not answer', false, cause);
    }
    if (response.status !== 200)
      throw new WebhookError(`answered with HTTP ${response.status}`, response.status === 422);
    return parseAnswer(text);
  }

  close(): Promise<void> {
    return this.egress.close();
  }

  /** The headers of the signature, which receivers of other tools know. */
  private sign(body: string): Record<string, string> {
    const { getSecret } = this.options;
    if (getSecret === undefined) return {};
    const secret = getSecret();
    if (secret === '') throw new Error('the secret of the signature is empty');
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    return { 'x-toolhive-timestamp': timestamp, 'x-toolhive-signature': `sha256=${signature}` };
  }
}

function parseAnswer(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new WebhookError('did not answer with JSON', false, cause);
  }
  if (!isJsonObject(value)) throw new WebhookError('did not answer with an object');
  const { allowed = false } = value;
  if (typeof allowed !== 'boolean') throw new WebhookError('answered with an "allowed" that is not true or false');
  return { ...value, allowed };
}
