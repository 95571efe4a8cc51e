/** Takes secrets out of audited data: values of members with telling names, and known forms. */

const REDACTED = '[REDACTED]';

/** Names of members whose values are secrets. */
const SECRET_NAME =
  /passw(?:or)?d|passphrase|secret|credential|authorization|cookie|(?:api|private|access|signing|encryption)[-_]?key|(?:^|[a-z0-9_-])tokens?$|^auth$|^pwd$|^pin$/i;
/** Members of MCP that only look like it. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set(['progressToken', 'maxTokens', 'max_tokens']);

/** Forms of secrets in any text: credentials of HTTP, JSON web tokens, keys of providers, PEM. */
const SECRET_FORMS = [
  /\b(?:bearer|basic)\s+[\w.~+/=-]{16,}/gi,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /\b(?:sk|pk|rk)[-_][\w-]{16,}/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|npm_)[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{35}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]+(?=@)/g,
  // The parameters of a URL.
  /(?<=[?&](?:[\w-]{0,40}token|api[-_]?key|key|[\w-]{0,40}secret|password|sig|[\w-]{0,40}signature|code)=)[^&#\s"]+/gi,
];

/** @returns the text with `[REDACTED]` in the place of secrets */
export function redactText(text: string): string {
  return SECRET_FORMS.reduce((current, form) => current.replace(form, REDACTED), text);
}

/** @returns a copy of the data without secrets */
export function redact(data: unknown): unknown {
  if (typeof data === 'string') return redactText(data);
  if (Array.isArray(data)) return data.map(redact);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, isSecret(name, value) ? REDACTED : redact(value)]),
  );
}

const isSecret = (name: string, value: unknown): boolean =>
  value !== null && typeof value !== 'boolean' && SECRET_NAME.test(name) && !PUBLIC_NAMES.has(name);
