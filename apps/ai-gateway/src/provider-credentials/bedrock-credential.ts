import type { AwsKeys } from '@gatehouse/aws-signature/aws-signature';
import { isHeaderValue } from '@gatehouse/egress/header-value';
import { z } from 'zod';
import { ProviderCredentialError } from './provider-credential-error.ts';

/** A credential of Amazon Bedrock. */
export type BedrockCredential =
  { readonly kind: 'api_key'; readonly apiKey: string } | { readonly kind: 'keys'; readonly keys: AwsKeys };

const FORMS = 'a Bedrock API key, or JSON with accessKeyId, secretAccessKey and an optional sessionToken';

const inHeader = z.string().refine(isHeaderValue);
const keysSchema = z.object({
  accessKeyId: inHeader,
  secretAccessKey: z.string().min(1),
  sessionToken: inHeader.optional(),
});

/**
 * Reads a credential of Amazon Bedrock: an API key, or keys as JSON. JSON begins with a brace.
 * @throws ProviderCredentialError that names the faulty member, and never a value
 */
export function readBedrockCredential(secret: string): BedrockCredential {
  if (!secret.trimStart().startsWith('{')) {
    if (isHeaderValue(secret)) return { kind: 'api_key', apiKey: secret };
    throw createFormError('the secret has characters that a header cannot carry');
  }
  const parsed = keysSchema.safeParse(parseJson(secret));
  if (!parsed.success) {
    const [member = ''] = parsed.error.issues[0]?.path ?? [];
    throw createFormError(`the JSON of the secret has no usable ${String(member)}`);
  }
  const { sessionToken, ...keys } = parsed.data;
  return { kind: 'keys', keys: { ...keys, ...(sessionToken !== undefined && { sessionToken }) } };
}

function parseJson(secret: string): unknown {
  try {
    return JSON.parse(secret);
  } catch {
    // The error of the parser repeats a part of the secret.
    throw createFormError('the secret is not valid JSON');
  }
}

const createFormError = (problem: string) =>
  new ProviderCredentialError(`${problem}; a credential of Amazon Bedrock is ${FORMS}`, false);
