import type { GuardrailWebhook } from '@gatehouse/ai-resources/generated/types';
import { type Egress, openEgress } from '@gatehouse/egress/egress';
import { explainDial } from '@gatehouse/egress/explain';
import { getAuthority } from '@gatehouse/egress/target';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { JsonCounter } from '@gatehouse/json-limits/json-counter';
import { Webhook } from 'standardwebhooks';
import { v7 as createId } from 'uuid';
import { z } from 'zod';

/** The largest response: a replaced request has as many bytes as a request can have. */
const MAX_RESPONSE_BYTES = 33 * 1024 * 1024;
/** Prefix of secrets of Standard Webhooks, before base64. */
const SECRET_PREFIX = 'whsec_';

/** The response of a webhook. */
const Verdict = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.literal('allow') }),
  z.object({ verdict: z.literal('deny'), message: z.string().min(1).max(500).optional() }),
  z.object({ verdict: z.literal('replace'), request: z.record(z.string(), z.unknown()) }),
]);
export type Verdict = z.output<typeof Verdict>;

/** A webhook gave no verdict. The message is for administrators, without contents of calls. */
export class WebhookFailedError extends GatehouseError {
  override readonly code = 'guardrail_webhook_failed';
}

/** The secrets of webhooks. */
export interface WebhookSecrets {
  /** The value of the named secret; undefined if it cannot be read now. */
  get(webhook: Pick<GuardrailWebhook, 'secretRef' | 'managedSecretId'>): string | undefined;
}

/** Opens the connections to the address of a webhook. */
export const openWebhookEgress = (url: string, allowLoopback: boolean): Egress =>
  openEgress(
    { authority: getAuthority(new URL(url)), allowPrivateIps: true, allowLoopback },
    { limits: { maxRedirects: 0, maxResponseBytes: MAX_RESPONSE_BYTES } },
  );

/** Asks a webhook for verdicts (docs/guardrail-webhooks.md). */
export class GuardrailCalls {
  constructor(
    private readonly webhook: GuardrailWebhook,
    private readonly egress: Pick<Egress, 'fetch'>,
    private readonly secrets: WebhookSecrets,
  ) {}

  /**
   * Asks for a verdict.
   * @param type the type of the event
   * @param ended aborted when the call no longer needs a verdict
   * @throws WebhookFailedError without one in time
   */
  async ask(type: string, data: object, ended: AbortSignal): Promise<Verdict> {
    const { url, timeoutSeconds } = this.webhook;
    const now = new Date();
    const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
    const headers = this.createHeaders(body, now);
    const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
    const signal = AbortSignal.any([timeout, ended]);
    try {
      const response = await this.egress.fetch(url, { method: 'POST', headers, body, signal });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new WebhookFailedError(`it answers HTTP ${response.status}`);
      }
      return readVerdict(Buffer.from(await response.arrayBuffer()));
    } catch (cause) {
      if (cause instanceof WebhookFailedError) throw cause;
      if (timeout.aborted) throw new WebhookFailedError(`it did not answer in ${timeoutSeconds} s`, { cause });
      throw new WebhookFailedError(explainDial(cause, new URL(url)).sentence, { cause });
    }
  }

  private createHeaders(body: string, now: Date): Record<string, string> {
    const headers = { 'content-type': 'application/json', 'user-agent': 'gatehouse-ai-gateway' };
    const { secretRef, managedSecretId } = this.webhook;
    if (secretRef === undefined && managedSecretId === undefined) return headers;
    const secret = this.secrets.get(this.webhook);
    if (secret === undefined) throw new WebhookFailedError('the secret of its signatures cannot be read');
    const id = createId();
    return {
      ...headers,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': sign(secret, id, now, body),
    };
  }
}

function sign(secret: string, id: string, now: Date, body: string): string {
  try {
    const webhook = secret.startsWith(SECRET_PREFIX) ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
    return webhook.sign(id, now, body);
  } catch (cause) {
    throw new WebhookFailedError(`the secret of its signatures is not ${SECRET_PREFIX} with base64`, { cause });
  }
}

function readVerdict(bytes: Buffer): Verdict {
  if (new JsonCounter().push(bytes) !== undefined) throw new WebhookFailedError('its response has too many values');
  try {
    return Verdict.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    // The cause would quote the response.
    throw new WebhookFailedError('its response is not a verdict: allow, deny or replace');
  }
}
