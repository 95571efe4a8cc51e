/** Returns the project of a test file, for example `libs/money`. */
export const projectOf = (path) => /\/((?:apps|libs|tools)\/[^/]+)\/(?:src|e2e)\//.exec(path)?.[1] ?? '';
