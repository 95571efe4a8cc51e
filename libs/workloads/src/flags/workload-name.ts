import { basename } from 'node:path';
import { flagError } from '../errors/workload-error.ts';
import { getPackageName } from './package-reference.ts';
import type { Source } from './source.ts';

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

/** The current folder has the name of its path. */
function getSourceName(source: Source, folder: string): string {
  if (source.kind === 'remote') return sanitizeName(source.url.hostname.replace(/[^a-z0-9]+/g, '-'));
  if (source.kind === 'image') return getImageName(source.image);
  return sanitizeName(getPackageName(source.reference) || basename(folder));
}

/**
 * Takes the name from `--name`, made valid where needed; without it, from the source.
 * @param folder the current folder
 * @throws WorkloadError (usage) for a NUL character
 */
export function parseWorkloadName(
  typed: string | undefined,
  source: Source,
  folder: string,
): { readonly name: string; readonly warnings: readonly string[] } {
  if (typed?.includes('\0')) throw flagError('--name', 'contains a NUL character');
  if (typed === undefined || typed === '') return { name: getSourceName(source, folder), warnings: [] };
  const name = sanitizeName(typed);
  if (name === typed) return { name, warnings: [] };
  return { name, warnings: [`the name '${typed}' cannot name a container; '${name}' is used instead`] };
}
