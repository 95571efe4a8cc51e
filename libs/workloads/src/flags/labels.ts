import { flagError } from '../errors/workload-error.ts';

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

function findKeyProblem(key: string): string | undefined {
  if (key.length > 253) return 'has a key longer than 253 characters';
  const parts = key.split('/');
  if (parts.length > 2) return `has more than one '/' in its key`;
  const name = parts.at(-1) ?? '';
  if (name === '') return 'has an empty key';
  if (name.length > 63 || !NAME.test(name)) {
    return `has the key '${key}'; a key is at most 63 letters, digits and '-_.', begins and ends with a letter or digit`;
  }
  const prefix = parts.length === 2 ? parts[0] : undefined;
  if (prefix !== undefined && !SUBDOMAIN.test(prefix)) return `has the key prefix '${prefix}', which is not a DNS name`;
  if (/^gatehouse/i.test(key)) return `uses the key '${key}'; keys that begin with gatehouse are reserved`;
  return undefined;
}

/**
 * Parses `--label key=value` (the Kubernetes label grammar). The last of several equal keys wins.
 * @throws WorkloadError (usage) that names the label.
 */
export function parseLabels(values: readonly string[]): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const text of values) {
    const at = text.indexOf('=');
    if (at === -1) throw flagError(`--label ${text}`, 'is not in the form key=value');
    const key = text.slice(0, at).trim();
    const value = text.slice(at + 1).trim();
    const problem = findKeyProblem(key);
    if (problem !== undefined) throw flagError(`--label ${text}`, problem);
    if (value !== '' && (value.length > 63 || !NAME.test(value))) {
      throw flagError(
        `--label ${text}`,
        `has the value '${value}'; a value is at most 63 letters, digits and '-_.', begins and ends with a letter or digit`,
      );
    }
    labels[key] = value;
  }
  return labels;
}
