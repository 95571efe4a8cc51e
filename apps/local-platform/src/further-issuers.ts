import { readFileSync } from 'node:fs';
import { UsageError } from './config.ts';

/** Maximum size of the file in bytes. */
const FILE_LIMIT = 1024 * 1024;

/** An entry of `ISSUERS`. */
export type Issuer = Readonly<Record<string, unknown>>;

/**
 * Reads the further token issuers of a home: `issuers.yaml` contains a list in the form of the
 * variable `ISSUERS`. The parser is loaded only for an existing file, to save memory.
 * @param local the issuer of the platform, which no entry may repeat
 * @returns an empty list without such a file
 * @throws {UsageError} naming the file and each invalid field, never a value
 */
export async function readFurtherIssuers(file: string, local: Issuer): Promise<Issuer[]> {
  const text = readText(file);
  if (text === undefined) return [];
  const [{ parseDocument }, { issuers }, { formatIssue }] = await Promise.all([
    import('yaml'),
    import('@gatehouse/service-kit/config'),
    import('@gatehouse/service-kit/sentences'),
  ]);
  const document = parseDocument(text, { uniqueKeys: true, strict: true });
  const [error] = document.errors;
  if (error !== undefined) throw createUnusableFileError(file, [error.message.split('\n', 1)[0] ?? 'is not YAML']);
  const entries = tryRead(() => document.toJS({ maxAliasCount: 0 }) as unknown);
  if (!Array.isArray(entries))
    throw createUnusableFileError(file, ['must be a list of issuers, each with `id` and `issuer`']);
  const result = issuers.safeParse([local, ...(entries as unknown[])]);
  if (result.success) return entries as Issuer[];
  const problems = result.error.issues.map((issue) => {
    const [index = 0, ...field] = issue.path;
    return formatIssue({ ...issue, path: [`entry ${Number(index)}`, ...field] });
  });
  throw createUnusableFileError(file, problems);
}

/** Returns undefined for a document with aliases, which can expand to any size. */
function tryRead(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function readText(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.length > FILE_LIMIT) throw createUnusableFileError(file, ['is larger than 1 MiB']);
    return text;
  } catch (error) {
    // The file is also missing without a home folder.
    if (['ENOENT', 'ENOTDIR'].includes((error as { code?: string }).code ?? '')) return undefined;
    throw error;
  }
}

const createUnusableFileError = (file: string, problems: readonly string[]): UsageError =>
  new UsageError([`${file} cannot be used:`, ...problems.map((problem) => `  ${problem}`)].join('\n'));
