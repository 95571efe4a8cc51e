import { createPrivateKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { ProviderCredentialError } from './provider-credential-error.ts';

/** The key of a Google service account. */
export interface ServiceAccountKey {
  readonly email: string;
  readonly key: KeyObject;
  /** The id of the key at Google; undefined for key files without one. */
  readonly keyId: string | undefined;
  /** The token endpoint: of Google, or on this machine. */
  readonly tokenUrl: string;
}

const DEFAULT_TOKEN_URL = 'https://oauth2.googleapis.com/token';
/**
 * The hosts of token endpoints. The key file names one, and a signed request to any other server
 * would be a way out of the network.
 */
const TOKEN_HOSTS: ReadonlySet<string> = new Set([
  'oauth2.googleapis.com',
  'www.googleapis.com',
  'accounts.google.com',
]);
/** Connections to this machine need a setting of the deployment; tests have their servers there. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]']);

const schema = z.object({
  type: z.literal('service_account'),
  client_email: z.email().max(320),
  private_key: z.string().transform((pem, context) => {
    const key = readPrivateKey(pem);
    if (key !== undefined) return key;
    context.addIssue({ code: 'custom', message: 'no RSA key' });
    return z.NEVER;
  }),
  private_key_id: z.string().max(256).optional(),
  token_uri: z.string().refine(isTokenUrl).default(DEFAULT_TOKEN_URL),
});

/**
 * Reads the key file of a service account.
 * @throws ProviderCredentialError that names the faulty member, and never a value
 */
export function readServiceAccountKey(secret: string): ServiceAccountKey {
  const parsed = schema.safeParse(parseJson(secret));
  if (!parsed.success) {
    const [member = 'object'] = parsed.error.issues[0]?.path ?? [];
    throw createFormError(`the JSON of the secret has no usable ${String(member)}`);
  }
  const { client_email: email, private_key: key, private_key_id: keyId, token_uri: tokenUrl } = parsed.data;
  return { email, key, keyId, tokenUrl };
}

function parseJson(secret: string): unknown {
  try {
    return JSON.parse(secret);
  } catch {
    // The error of the parser repeats a part of the secret.
    throw createFormError('the secret is not valid JSON');
  }
}

/** Google signs with RSA keys of 2,048 bits. @returns undefined for everything else */
function readPrivateKey(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    const isUsable = key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048;
    return isUsable ? key : undefined;
  } catch {
    return undefined;
  }
}

function isTokenUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return LOOPBACK_HOSTS.has(hostname) || (protocol === 'https:' && TOKEN_HOSTS.has(host));
}

const createFormError = (problem: string) =>
  new ProviderCredentialError(
    `${problem}; a credential of Google Vertex AI is the key file of a service account, as Google writes it`,
    false,
  );
