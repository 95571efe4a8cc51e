import { flagError } from '../errors/workload-error.ts';

/**
 * Parses `--allowed-origins`. Each value, or each part between commas, is one origin
 * (`https://host[:port]`) without path, query or credentials. Returns them in lower case; refuses
 * `null` and wildcards.
 * @throws WorkloadError (usage) that names the origin.
 */
export function parseOrigins(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((part) => {
      const text = part.trim();
      const url = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s*]+$/i.test(text) ? URL.parse(text) : null;
      if (!url || url.hostname === '' || url.username !== '') {
        throw flagError(
          `--allowed-origins ${text}`,
          'is not an origin such as https://app.example.com or http://localhost:3000',
        );
      }
      return text.toLowerCase();
    });
}
