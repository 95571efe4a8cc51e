import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { describeFileProblem } from '@gatehouse/local-files/file-problem';
import { readSmallText } from '@gatehouse/local-files/text-file';
import { flagError, getErrorMessage } from '../errors/workload-error.ts';

const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]*-----END CERTIFICATE-----/g;
/** The certificates of all public authorities have about 0.3 MiB. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads the certificates of a file.
 * @param typed begins the message of an error
 * @returns the certificates alone, in PEM
 * @throws WorkloadError (usage) for a file without certificates
 */
export function readCertificates(path: string, typed: string): string {
  let text: string;
  try {
    text = readSmallText(path, MAX_BYTES);
  } catch (error) {
    throw flagError(typed, `cannot be read: ${describeFileProblem(error)}`);
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

/**
 * Parses `--gatehouse-ca-bundle`.
 * @param folder against which the path is relative
 * @returns the absolute path
 * @throws WorkloadError (usage) for a file without certificates
 */
export function parseCaBundle(path: string | undefined, folder: string): string | undefined {
  if (path === undefined) return undefined;
  const absolute = resolve(folder, path);
  readCertificates(absolute, `--gatehouse-ca-bundle ${path}`);
  return absolute;
}
