/** Maximum length of a workload name. */
const MAX_LENGTH = 100;
const VALID = /^[A-Za-z0-9][A-Za-z0-9._-]{1,99}$/;

/**
 * Whether a text is a workload name: 2 to 100 of `A-Z a-z 0-9 . _ -`, the first a letter or digit
 * (the alphabet of container names).
 */
export function isWorkloadName(text: string): boolean {
  return VALID.test(text);
}

/**
 * Converts a typed name to a valid one. Characters with a meaning in paths or shells become `-`,
 * invalid first characters are removed, and the rest is cut at 100 characters. An empty rest
 * becomes `workload`.
 */
export function sanitizeName(text: string): string {
  const name = text
    .replaceAll('\0', '')
    .replaceAll('..', '--')
    .replace(/[^A-Za-z0-9._-]/gu, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MAX_LENGTH);
  if (name === '') return 'workload';
  return name.length === 1 ? `${name}-workload` : name;
}

/**
 * Returns the default name of a workload: the last two parts of the image's path without tag and
 * digest, joined by `-`. `ghcr.io/github/github-mcp-server:v1` becomes
 * `github-github-mcp-server`. It is not unique.
 */
export function getImageName(reference: string): string {
  const lastColon = reference.lastIndexOf(':');
  const path = lastColon > reference.lastIndexOf('/') ? reference.slice(0, lastColon) : reference;
  const parts = path.split('/').map((part) => part.replace(/:[0-9]+$/, ''));
  return sanitizeName(
    parts
      .slice(-2)
      .join('-')
      .replace(/[^A-Za-z0-9-]/g, '-'),
  );
}
