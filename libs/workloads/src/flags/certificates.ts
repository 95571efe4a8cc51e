import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { flagError, getErrorMessage } from '../errors/workload-error.ts';

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * Reads the certificates of a file.
 * @param typed begins the message of an error
 * @returns the certificates alone, in PEM
 * @throws WorkloadError (usage) for a file without certificates
 */
export function readCertificates(path: string, typed: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw flagError(typed, `cannot be read: ${getErrorMessage(error)}`);
  }
  const found = text.match(PEM) ?? [];
  if (found.length === 0) throw flagError(typed, 'contains no certificate in PEM form');
  try {
    for (const certificate of found) new X509Certificate(certificate);
  } catch (error) {
    throw flagError(typed, `contains an invalid certificate: ${getErrorMessage(error)}`);
  }
  return `${found.join('\n')}\n`;
}
