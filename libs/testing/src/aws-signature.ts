import { createHash, createHmac } from 'node:crypto';
import type { GuardedRequest } from './guard.ts';

/** Keys that a caller may sign with, by their id. */
export type FindAwsKeys = (accessKeyId: string) => { secretAccessKey: string; sessionToken?: string } | undefined;

/** Headers that HTTP clients add after the signature. */
const UNSIGNED = new Set([
  'authorization',
  'connection',
  'content-length',
  'accept-encoding',
  'accept-language',
  'sec-fetch-mode',
  'user-agent',
]);

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const sign = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Finds the fault of a request with AWS Signature Version 4, as AWS services do: the keys and their
 * session token, the scope, the time, the covered headers, the body and the signature. It shares no
 * code with the signer of the gateway.
 * @returns undefined for a valid request
 */
export function findAwsFault(
  { method, url, headers, body }: GuardedRequest,
  scope: { region: string; service: string },
  findKeys: FindAwsKeys,
): string | undefined {
  const parts = FORM.exec(headers['authorization'] ?? '');
  if (parts === null) return 'the Authorization header has another form';
  const [, keyId = '', day = '', region = '', service = '', signedHeaders = '', signature = ''] = parts;
  const keys = findKeys(keyId);
  if (keys === undefined || headers['x-amz-security-token'] !== keys.sessionToken) return 'unknown keys';
  if (region !== scope.region || service !== scope.service) return `the scope is ${region}/${service}`;
  const time = headers['x-amz-date'] ?? '';
  const instant = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (!time.startsWith(day) || !(Math.abs(Date.now() - instant) < 300_000)) return `the time is ${time}`;
  const names = signedHeaders.split(';');
  const uncovered = Object.keys(headers).filter((name) => !UNSIGNED.has(name) && !names.includes(name));
  if (uncovered.length > 0) return `not signed: ${uncovered.join()}`;
  const { pathname, searchParams } = new URL(url, 'http://host');
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const canonical = [
    method,
    pathname.split('/').map(encode).join('/'),
    query.join('&'),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    hash(body),
  ].join('\n');
  const credentialScope = [day, region, service, 'aws4_request'];
  const key = credentialScope.reduce<string | Buffer>((last, part) => sign(last, part), `AWS4${keys.secretAccessKey}`);
  const text = ['AWS4-HMAC-SHA256', time, credentialScope.join('/'), hash(canonical)].join('\n');
  return sign(key, text).toString('hex') === signature ? undefined : 'the signature is that of another request';
}
