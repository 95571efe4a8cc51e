import type { ResourceKind } from '@gatehouse/ai-resources/resource';
import { ResourceStoreError } from '@gatehouse/ai-resources/resource-store';
import { readResource, type WrittenResource } from '@gatehouse/ai-resources/validation';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { readFileSync, statSync } from 'node:fs';
import { type Document, parseDocument } from 'yaml';

/** Largest size of a gateway file, in bytes. */
const FILE_LIMIT = 1024 * 1024;

const KIND = 'AIGateway' satisfies ResourceKind;

/** The AIGateway in a file. */
type WrittenGateway = WrittenResource<typeof KIND>;

/** A gateway file is invalid. The message has one line for each problem, with its field. */
export class GatewayFileError extends GatehouseError {
  override readonly code = 'invalid_gateway_file';

  constructor(file: string, problems: readonly string[], cause?: unknown) {
    super(
      [
        `The gateway file ${file} cannot be used; correct it and start again:`,
        ...problems.map((problem) => `  ${problem}`),
      ].join('\n'),
      {
        cause,
      },
    );
  }
}

/** Reads and validates a gateway file. @throws {GatewayFileError} */
export function readGatewayFile(file: string): { gateway: WrittenGateway; changedAt: Date } {
  try {
    const { size, mtime } = statSync(file);
    if (size > FILE_LIMIT) throw new GatewayFileError(file, ['it is larger than 1 MiB']);
    return { gateway: parseGateway(readFileSync(file, 'utf8'), file), changedAt: mtime };
  } catch (error) {
    if (error instanceof GatewayFileError) throw error;
    throw new GatewayFileError(file, [(error as Error).message], error);
  }
}

/** Validates the text of a gateway file. @param file its name, for the message */
export function parseGateway(text: string, file: string): WrittenGateway {
  const document = parseDocument(text, { uniqueKeys: true, strict: true });
  if (document.errors.length > 0)
    throw new GatewayFileError(
      file,
      document.errors.map(({ message }) => getFirstLine(message)),
    );
  const value = readValue(document, file);
  try {
    return readResource(KIND, value);
  } catch (error) {
    if (!(error instanceof ResourceStoreError)) throw error;
    const problems = error.violations.map(({ field, message }) => `${field || 'the document'} ${message}`);
    throw new GatewayFileError(file, problems, error);
  }
}

/** The value of a parsed document. More than 100 aliases are refused: they expand to any size. */
function readValue(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw new GatewayFileError(file, ['it uses more than 100 aliases'], cause);
  }
}

const getFirstLine = (text: string): string => text.split('\n')[0] ?? text;
