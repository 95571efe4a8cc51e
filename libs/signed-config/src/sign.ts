import { type CryptoKey, FlattenedSign } from 'jose';
import {
  type ConfigEnvelope,
  etagOfContent,
  issuedAtSeconds,
  formatUserClaim,
  type Recipient,
  SIGNATURE_TYPE,
  signedBytes,
  type UnsignedEnvelope,
} from './envelope.ts';

/** A private ES256 key and its id in the key set. */
export interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
}

/** Signs a configuration for one recipient: ES256, detached and unencoded (RFC 7797). */
export async function signEnvelope(
  envelope: UnsignedEnvelope,
  { kid, privateKey }: SigningKey,
  recipient: Recipient,
): Promise<ConfigEnvelope> {
  const { protected: header, signature } = await new FlattenedSign(signedBytes(envelope))
    .setProtectedHeader({
      alg: 'ES256',
      kid,
      typ: SIGNATURE_TYPE,
      aud: recipient.audience,
      sub: formatUserClaim(recipient),
      iat: issuedAtSeconds(envelope.issued_at),
      b64: false,
      crit: ['b64'],
    })
    .sign(privateKey);
  return {
    ...envelope,
    etag: etagOfContent(envelope.config, envelope.degraded_mode),
    signature: `${header}..${signature}`,
  };
}
