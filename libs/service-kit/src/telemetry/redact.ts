const HIDDEN = '[redacted]';
const MAX_DEPTH = 8;

/** Names of fields whose values are never logged. */
const SECRET_NAME =
  /authorization|cookie|token|secret|passw|credential|assertion|api[-_]?key|private[-_]?key|signing[-_]?key|cursor[-_]?key|^(?:key|code_verifier|prompt|messages|d)$/i;

/**
 * Shapes of secrets inside text: JWTs, Authorization values, this product's keys, keys of model
 * providers, and secrets in queries and URLs.
 */
const SECRET_TEXT: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]+\.[\w-]*(?:\.[\w-]*)*/g, HIDDEN],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${HIDDEN}`],
  [/\b(?:gh_[a-z0-9]{4,}_|sk-|AIza)[\w-]+/g, HIDDEN],
  [/([?&;](?:[\w-]*token|[\w-]*key|[\w-]*secret|password|code|assertion|signature)=)[^&\s"'#]+/gi, `$1${HIDDEN}`],
  [/(\w:\/\/[^\s:/@]*:)[^\s/"'<>]+@/g, `$1${HIDDEN}@`],
];

/**
 * Parts that every secret of these shapes contains. A text without them is not searched further.
 */
const MAY_BE_SECRET = /eyJ|[=@]|gh_|sk-|AIza|[Bb][Ee][Aa][Rr][Ee][Rr]|[Bb][Aa][Ss][Ii][Cc]/;

/** Removes the secrets of known shapes from a text. */
export const redactText = (text: string): string =>
  MAY_BE_SECRET.test(text) ? SECRET_TEXT.reduce((rest, [shape, instead]) => rest.replace(shape, instead), text) : text;

/** Whether a field name is secret. The names come from the code, so there are few. */
const secretNames = new Map<string, boolean>();
const MAX_NAMES = 1_000;

function isSecretName(name: string): boolean {
  const known = secretNames.get(name);
  if (known !== undefined) return known;
  const secret = SECRET_NAME.test(name);
  if (secretNames.size < MAX_NAMES) secretNames.set(name, secret);
  return secret;
}

/**
 * Copies a log record without secrets, by name of the field and by shape in any text. Errors keep
 * name, message, stack, code and cause.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? value.toString() : value;
  if (depth > MAX_DEPTH) return '[deeper]';
  if (value instanceof Date) return value;
  if (value instanceof Error) return redact(errorRecord(value), depth + 1);
  if (value instanceof URL) return redactText(value.href);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Set || Array.isArray(value))
    return [...(value as Iterable<unknown>)].map((item) => redact(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) copy[name] = isSecretName(name) ? HIDDEN : redact(part, depth + 1);
  return copy;
}

function errorRecord(error: Error): Record<string, unknown> {
  const { code } = error as Error & { code?: unknown };
  return {
    name: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: error.cause }),
  };
}
