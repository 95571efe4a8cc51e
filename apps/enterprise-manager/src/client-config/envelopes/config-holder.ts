import type { Recipient } from '@gatehouse/signed-config/envelope';
import type { ClientType } from './config-envelope.dto.ts';

/** A person's clients of one type. */
export interface ConfigHolder {
  issuer: string;
  subject: string;
  clientType: ClientType;
}

/** For whom the holder's envelopes are signed. */
export const recipientOf = ({ issuer, subject, clientType }: ConfigHolder): Recipient => ({
  audience: clientType,
  issuer,
  subject,
});
