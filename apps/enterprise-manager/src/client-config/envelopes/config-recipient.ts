import type { Recipient } from '@gatehouse/signed-config/envelope';
import type { ClientType } from './config-envelope.dto.ts';

/** The clients of one user that have the same type. They share one envelope. */
export interface ConfigRecipient {
  issuer: string;
  subject: string;
  clientType: ClientType;
}

/** Converts a recipient to the form that a signature contains. */
export const toRecipient = ({ issuer, subject, clientType }: ConfigRecipient): Recipient => ({
  audience: clientType,
  issuer,
  subject,
});
