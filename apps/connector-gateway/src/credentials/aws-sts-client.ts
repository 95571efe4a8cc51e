import type { AwsKeys } from '@gatehouse/aws-signature/aws-signature';
import { InvalidProviderError, ProviderRefusalError, ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import type { ProviderHttp } from '@gatehouse/oauth-client/provider';
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';

/** A request for the keys of a role. */
export interface RoleRequest {
  readonly roleArn: string;
  readonly sessionName: string;
  /** The token of the caller, a JWT of OpenID Connect. */
  readonly token: string;
  readonly durationSeconds: number;
  /** The time of the request, in milliseconds. */
  readonly now: number;
}

const VERSION = '2011-06-15';

/** Keys as headers can carry them. */
const key = z.string().regex(/^[\x21-\x7e]{1,8192}$/);

const credentials = z.object({
  AccessKeyId: key,
  SecretAccessKey: key,
  SessionToken: key,
  Expiration: z.iso.datetime({ offset: true }),
});
const success = z.object({
  AssumeRoleWithWebIdentityResponse: z.object({
    AssumeRoleWithWebIdentityResult: z.object({ Credentials: credentials }),
  }),
});
const failure = z.object({ ErrorResponse: z.object({ Error: z.object({ Code: z.string() }) }) });

/** Entities of a document are not expanded, and no text becomes a number. */
const parser = new XMLParser({ processEntities: false, parseTagValue: false });

/** Errors of STS that a later request may not get. */
const TEMPORARY_ERRORS: ReadonlySet<string> = new Set(['IDPCommunicationError', 'Throttling', 'ThrottlingException']);

/**
 * Requests the temporary keys of a role (AWS STS, AssumeRoleWithWebIdentity). The request has no
 * signature: the token authenticates it.
 * @throws ProviderRefusalError with the code of STS; ProviderUnavailableError, InvalidProviderError
 */
export async function assumeRole(
  http: ProviderHttp,
  endpoint: string,
  request: RoleRequest,
): Promise<{ keys: AwsKeys; expiresAt: number }> {
  const response = await send(http, endpoint, request);
  const document = await readDocument(response);
  if (!response.ok) throw createFailure(response.status, document);
  const { data } = success.safeParse(document);
  if (data === undefined) throw new InvalidProviderError('STS answered without usable keys');
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } =
    data.AssumeRoleWithWebIdentityResponse.AssumeRoleWithWebIdentityResult.Credentials;
  return {
    keys: { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken },
    expiresAt: Date.parse(Expiration),
  };
}

async function send(http: ProviderHttp, endpoint: string, request: RoleRequest): Promise<Response> {
  const { roleArn, sessionName, token, durationSeconds } = request;
  try {
    return await http.fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/xml' },
      body: new URLSearchParams({
        Action: 'AssumeRoleWithWebIdentity',
        Version: VERSION,
        RoleArn: roleArn,
        RoleSessionName: sessionName,
        WebIdentityToken: token,
        DurationSeconds: String(durationSeconds),
      }).toString(),
      redirect: 'manual',
      signal: AbortSignal.timeout(http.timeoutS * 1_000),
    });
  } catch (cause) {
    if (cause instanceof InvalidProviderError) throw cause;
    throw new ProviderUnavailableError('STS does not answer', { cause });
  }
}

/** The document of a response; undefined for one that is not XML. */
async function readDocument(response: Response): Promise<unknown> {
  try {
    return parser.parse(await response.text());
  } catch {
    return undefined;
  }
}

function createFailure(status: number, document: unknown): Error {
  const { data } = failure.safeParse(document);
  const code = data?.ErrorResponse.Error.Code ?? '';
  if (status >= 500 || status === 429 || TEMPORARY_ERRORS.has(code))
    return new ProviderUnavailableError(`STS answered with HTTP ${status}`);
  if (!/^\w{1,64}$/.test(code)) return new InvalidProviderError(`STS answered with HTTP ${status}`);
  return new ProviderRefusalError(`STS refused the token (${code})`, code, undefined);
}
