import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { describeFileProblem } from '@gatehouse/local-files/file-problem';
import { MAX_DOCUMENT_BYTES } from '../document/json-text.ts';
import { readRegistryDocument, type RegistryDocument } from '../document/registry-document.ts';
import { RegistryUnavailableError } from '../registry-error.ts';

/**
 * Reads a registry from a file.
 * @throws RegistryUnavailableError for a missing file, and for anything but a regular file
 * @throws RegistryDocumentError for a file that is no registry
 */
export function readRegistryFile(path: string): RegistryDocument {
  return readRegistryDocument(readBytes(path), path);
}

function readBytes(path: string): Uint8Array {
  let file: number | undefined;
  try {
    // Opening a pipe would wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = fstatSync(file);
    if (!fstatSync(file).isFile()) throw new Error('it is not a file');
    if (size > MAX_DOCUMENT_BYTES) throw new Error(`it is larger than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB`);
    return readFileSync(file);
  } catch (cause) {
    throw new RegistryUnavailableError(
      `The registry file ${path} cannot be read: ${describeFileProblem(cause)}`,
      ['gatehouse registry set --reset   returns to the embedded registry'],
      cause,
    );
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
