import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { readFileSync, statSync } from 'node:fs';
import { type Document, parseDocument } from 'yaml';
import { z } from 'zod';

/** Largest size of a gateway file, in bytes. */
const FILE_LIMIT = 1024 * 1024;

const route = z.strictObject({
  match: z.strictObject({
    model: z
      .string()
      .max(256)
      .regex(/^[A-Za-z0-9][\w.:/@-]*$/, 'must be a model name without blanks or wildcards'),
  }),
  provider: z.enum(['anthropic', 'openai', 'google']),
  display_name: z.string().min(1).max(256).optional(),
  context_window: z.number().int().positive().optional(),
});

const aiGateway = z.strictObject({
  apiVersion: z.literal('gatehouse.dev/v1alpha1'),
  kind: z.literal('AIGateway'),
  metadata: z.looseObject({ name: z.string().min(1).max(253) }),
  spec: z.strictObject({ routes: z.array(route).min(1).max(1000) }),
});

/** The part of an AIGateway that this gateway uses: its models and their providers. */
export type AIGateway = z.infer<typeof aiGateway>;

/** A gateway file is invalid. The message has one line for each problem, with its path. */
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
export function readGatewayFile(file: string): { gateway: AIGateway; changedAt: Date } {
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
export function parseGateway(text: string, file: string): AIGateway {
  const document = parseDocument(text, { uniqueKeys: true, strict: true });
  if (document.errors.length > 0)
    throw new GatewayFileError(
      file,
      document.errors.map(({ message }) => getFirstLine(message)),
    );
  const result = aiGateway.safeParse(readValue(document, file));
  if (result.success) return result.data;
  throw new GatewayFileError(
    file,
    result.error.issues.map(({ path, message }) => `${formatPath(path)}: ${message}`),
  );
}

/** The value of a parsed document. More than 100 aliases are refused: they expand to any size. */
function readValue(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw new GatewayFileError(file, ['it uses more than 100 aliases'], cause);
  }
}

const formatPath = (path: readonly PropertyKey[]): string => path.map(String).join('.') || 'the document';
const getFirstLine = (text: string): string => text.split('\n')[0] ?? text;
