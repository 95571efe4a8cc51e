import { randomUUID } from 'node:crypto';
import { ErrorCode } from '@gatehouse/mcp/errors';
import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import { listGroups } from '../authorization/groups.ts';
import { createLocalClaims } from '../authorization/local-user.ts';
import { applyPatch, PatchError } from './json-patch.ts';
import { MAX_WEBHOOK_BYTES, WebhookClient, WebhookError } from './webhook-client.ts';
import type { WebhooksOptions } from './webhook-options.ts';
import type { AskWebhooks, WebhookMessage, Webhooks, WebhookVerdict } from './webhooks.ts';

const VERSION = 'v0.1.0';
/** The code of JSON-RPC errors of refusals, as other proxies have it. */
const FORBIDDEN = 403;

type Refusal = Extract<WebhookVerdict, { kind: 'refused' }>;

/** The answers that depend on the kind of the webhooks. */
interface Refusals {
  readonly denied: Refusal;
  /** HTTP 422 of the webhook. */
  readonly unprocessable: Refusal;
  readonly failed: Refusal;
}

const refuse = (status: number, code: number, message: string): Refusal => ({ kind: 'refused', status, code, message });

const POLICY = refuse(403, FORBIDDEN, 'Request denied by policy');
const VALIDATING: Refusals = { denied: POLICY, unprocessable: POLICY, failed: POLICY };
const MUTATING: Refusals = {
  denied: refuse(403, FORBIDDEN, 'Request denied by webhook policy'),
  unprocessable: refuse(422, FORBIDDEN, 'Request denied by webhook policy'),
  failed: refuse(500, ErrorCode.internalError, 'Webhook error'),
};
const TOO_LARGE = refuse(
  413,
  ErrorCode.invalidRequest,
  `The message is larger than ${MAX_WEBHOOK_BYTES} bytes, which webhooks can get.`,
);

/** Opens the webhooks of a proxy. Connections are made with the first calls. */
export function openWebhooks(options: WebhooksOptions): Webhooks {
  const mutating = options.mutating.map((webhook) => new WebhookClient(webhook));
  const validating = options.validating.map((webhook) => new WebhookClient(webhook));
  const localClaims = createLocalClaims();
  const ask = (clients: readonly WebhookClient[], refusals: Refusals, isMutating: boolean): AskWebhooks | undefined =>
    clients.length === 0
      ? undefined
      : async ({ claims = localClaims, ...message }) =>
          askInOrder(clients, { ...message, claims }, { options, refusals, isMutating });
  return {
    mutate: ask(mutating, MUTATING, true),
    validate: ask(validating, VALIDATING, false),
    close: async () => {
      await Promise.all([...mutating, ...validating].map((client) => client.close()));
    },
  };
}

interface AskParts {
  readonly options: WebhooksOptions;
  readonly refusals: Refusals;
  readonly isMutating: boolean;
}

async function askInOrder(
  clients: readonly WebhookClient[],
  message: WebhookMessage,
  parts: AskParts,
): Promise<WebhookVerdict> {
  let { text } = message;
  if (Buffer.byteLength(text) > MAX_WEBHOOK_BYTES) return TOO_LARGE;
  for (const client of clients) {
    const verdict = await askOne(client, { ...message, text }, parts);
    if (verdict.kind === 'refused') return verdict;
    ({ text } = verdict);
  }
  return { kind: 'allowed', text };
}

async function askOne(client: WebhookClient, message: WebhookMessage, parts: AskParts): Promise<WebhookVerdict> {
  const { options, refusals, isMutating } = parts;
  const { name, failurePolicy } = client.options;
  try {
    const answer = await client.call(createBody(message, options), message.signal);
    if (answer['allowed'] !== true) {
      options.log({ level: 'info', message: `The webhook ${name} has refused a request.` });
      return refusals.denied;
    }
    return { kind: 'allowed', text: isMutating ? change(message.text, answer, options.maxBodyBytes) : message.text };
  } catch (cause) {
    const isRefusal = cause instanceof WebhookError && cause.isRefusal;
    const effect = failurePolicy === 'fail' || isRefusal ? 'the request is refused' : 'the request goes on';
    if (!message.signal.aborted)
      options.log({ level: 'warn', message: `The webhook ${name} ${describe(cause)}, and ${effect}.`, cause });
    if (isRefusal) return refusals.unprocessable;
    return failurePolicy === 'ignore' ? { kind: 'allowed', text: message.text } : refusals.failed;
  }
}

function describe(cause: unknown): string {
  if (cause instanceof WebhookError) return cause.message;
  return cause instanceof PatchError ? `has sent a patch that ${cause.message}` : 'has failed';
}

function change(text: string, answer: JsonObject, maxBytes: number): string {
  const { patch_type: type, patch } = answer;
  if (type === undefined || type === null || type === '' || patch === undefined || patch === null) return text;
  if (type !== 'json_patch') throw new WebhookError('answered with a "patch_type" other than json_patch');
  return applyPatch(text, patch, maxBytes);
}

/** The message itself is part of the body as the client wrote it, with its numbers. */
function createBody({ text, claims = {}, source }: WebhookMessage, { serverName, transport }: WebhooksOptions): string {
  const { sub, name, email } = claims;
  const groups = listGroups(claims, {});
  const principal = {
    ...{ sub, platform_user_id: sub, name, email },
    ...(groups.length > 0 && { groups }),
    claims,
  };
  const context = { server_name: serverName, source_ip: source, transport };
  const head = JSON.stringify({ version: VERSION, uid: randomUUID(), timestamp: new Date().toISOString(), principal });
  return `${head.slice(0, -1)},"mcp_request":${text},"context":${JSON.stringify(context)}}`;
}
