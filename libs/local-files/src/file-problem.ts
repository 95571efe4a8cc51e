/** The reasons of the system why a path cannot be read, as clauses. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ERR_INVALID_ARG_VALUE: 'its name contains a NUL character',
};

/**
 * Describes why a file or a folder cannot be read.
 * @returns a clause such as `it does not exist`
 */
export function describeFileProblem(error: unknown): string {
  const { code, message } = error as Partial<NodeJS.ErrnoException>;
  return REASONS[code ?? ''] ?? message ?? String(error);
}
