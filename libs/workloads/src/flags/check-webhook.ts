import { isAbsolute } from 'node:path';
import { createPrivateKey } from 'node:crypto';
import { describeFileProblem } from '@gatehouse/local-files/file-problem';
import { readSmallText } from '@gatehouse/local-files/text-file';
import { readTarget } from '@gatehouse/egress/target';
import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { getErrorMessage } from '../errors/workload-error.ts';
import { readCertificates } from './certificates.ts';
import { parseGoDuration } from './go-duration.ts';
import type { WebhookConfig } from './webhook-schema.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 30_000;
const MAX_SECRET_BYTES = 64 * 1024;
const MAX_KEY_BYTES = 256 * 1024;

/** The reason why a webhook cannot be called. */
export interface WebhookProblem {
  /** The member that is not valid. */
  readonly path: readonly string[];
  readonly problem: string;
}

/** Returns the time limit of a webhook in milliseconds. */
export function getTimeoutMs({ timeout = 0 }: WebhookConfig): number {
  const milliseconds = typeof timeout === 'number' ? timeout / 1e6 : (parseGoDuration(timeout) ?? 0);
  return milliseconds === 0 ? DEFAULT_TIMEOUT_MS : Math.ceil(milliseconds);
}

/** Finds a member that is not valid. It reads the files that the webhook names. */
export function findWebhookProblem(webhook: WebhookConfig): WebhookProblem | undefined {
  return findUrlProblem(webhook) ?? findTlsProblem(webhook) ?? findSecretProblem(webhook);
}

function findUrlProblem(webhook: WebhookConfig): WebhookProblem | undefined {
  const timeoutMs = getTimeoutMs(webhook);
  if (timeoutMs < 0 || timeoutMs > MAX_TIMEOUT_MS)
    return { path: ['timeout'], problem: 'must be from 0 to 30s; a number counts nanoseconds' };
  try {
    const { protocol } = readTarget(webhook.url);
    if (protocol !== 'https:' && webhook.tls_config?.insecure_skip_verify !== true)
      return { path: ['url'], problem: 'must begin with https://, unless tls_config.insecure_skip_verify is true' };
  } catch (error) {
    return { path: ['url'], problem: getErrorMessage(error) };
  }
  return undefined;
}

function findTlsProblem({ tls_config: tls }: WebhookConfig): WebhookProblem | undefined {
  const { ca_bundle_path: ca, client_cert_path: cert, client_key_path: key } = tls ?? {};
  if (!cert !== !key)
    return { path: ['tls_config'], problem: 'needs both client_cert_path and client_key_path, or neither' };
  for (const [name, path, read] of [
    ['ca_bundle_path', ca, readCertificateFile],
    ['client_cert_path', cert, readCertificateFile],
    ['client_key_path', key, readKeyFile],
  ] as const) {
    const problem = path ? findReadProblem(() => read(path)) : undefined;
    if (problem !== undefined) return { path: ['tls_config', name], problem };
  }
  return undefined;
}

function findSecretProblem({ hmac_secret_ref: reference }: WebhookConfig): WebhookProblem | undefined {
  if (!reference) return undefined;
  const read = () => (isAbsolute(reference) ? readSecretFile(reference) : parseSecretName(reference));
  const problem = findReadProblem(read);
  return problem === undefined ? undefined : { path: ['hmac_secret_ref'], problem };
}

function findReadProblem(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return describeFileProblem(error);
  }
}

/** Reads certificates in PEM. @throws Error */
export const readCertificateFile = (path: string): string => readCertificates(path, path);

/** Reads a private key in PEM. @throws Error that does not repeat it */
export function readKeyFile(path: string): string {
  const text = readSmallText(path, MAX_KEY_BYTES);
  try {
    createPrivateKey(text);
  } catch {
    throw new Error(`${path} has no private key in PEM form without a password`);
  }
  return text;
}

/** Reads the secret of a signature from a file, without line ends around it. @throws Error */
export function readSecretFile(path: string): string {
  const secret = readSmallText(path, MAX_SECRET_BYTES).trim();
  if (secret === '') throw new Error(`${path} is empty`);
  return secret;
}

/**
 * Parses the name of a secret. A target has no effect, since the value does not reach the server.
 * @throws SecretsError that does not repeat another text
 */
export function parseSecretName(reference: string): string {
  return SecretReference.parse(reference.includes(',') ? reference : `${reference},target=HMAC`, 'the reference').name;
}
