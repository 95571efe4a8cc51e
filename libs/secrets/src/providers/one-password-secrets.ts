import { z } from 'zod';
import { SecretsError } from '../secrets-error.ts';
import type { SecretsProvider } from '../secrets-provider.ts';
import type { Environment } from './environment-secrets.ts';
import { type OpResult, runOp } from './op-command.ts';

/** The default time limit of op, in milliseconds. It may wait for a fingerprint of the user. */
const TIME_LIMIT_MS = 60_000;

/** `op://vault/item/field` or `op://vault/item/section/field`, with an optional `?attribute=…`. */
const REFERENCE = /^op:\/\/[^/]+\/[^/]+(\/[^/]+){1,2}$/;

/** The part of `op item list --format json` that is used. */
const itemsSchema = z.array(z.object({ title: z.string(), vault: z.object({ name: z.string() }) }));

/**
 * Secrets in 1Password, through its command `op`. Names are secret references of 1Password,
 * `op://vault/item/field`. It reads and lists items; they are changed in 1Password.
 */
export class OnePasswordSecrets implements SecretsProvider {
  readonly title = '1Password';
  readonly #environment: Environment;
  readonly #timeLimitMs: number;

  /** @param environment of op: PATH, and the variables that sign it in */
  constructor(environment: Environment, timeLimitMs = TIME_LIMIT_MS) {
    this.#environment = environment;
    this.#timeLimitMs = timeLimitMs;
  }

  /** @throws SecretsError when op fails for another reason than an unknown name */
  readonly get = async (name: string): Promise<string | undefined> => {
    if (!REFERENCE.test(name)) return undefined;
    const result = await runOp(['read', '--no-newline', '--', name], this.#environment, this.#timeLimitMs);
    if (result.succeeded) return result.output;
    if (isUnknownName(result)) return undefined;
    throw describeFailure(result);
  };

  /** Lists the items that op can read, as `op://vault/item`; a field is added to read one. */
  readonly list = async (): Promise<string[]> => {
    const result = await runOp(['item', 'list', '--format', 'json'], this.#environment, this.#timeLimitMs);
    if (!result.succeeded) throw describeFailure(result);
    const items = itemsSchema.safeParse(parseJson(result.output));
    if (!items.success) {
      throw new SecretsError('one_password_failed', 'The command op of 1Password wrote a list that is not readable', [
        'op --version   must be 2.0 or newer',
      ]);
    }
    return items.data.map(({ title, vault }) => `op://${vault.name}/${title}`).sort();
  };

  readonly describeChange = (name: string): string =>
    REFERENCE.test(name) ? `change ${name} in 1Password` : `op://vault/item/field instead of ${name}`;
}

/** Whether op has no vault, item or field of this name. */
function isUnknownName({ complaint }: OpResult): boolean {
  return /isn't an? (item|vault|field|section)|(item|vault|field|section) .*not found|does not have a field/i.test(
    complaint,
  );
}

/** The error for a failed op, without its own text, which can repeat parts of values. */
function describeFailure({ complaint }: OpResult): SecretsError {
  return /sign(ed)? ?in|no accounts? |unauthori[sz]ed|session expired|token|authenticat/i.test(complaint)
    ? new SecretsError('one_password_failed', 'The command op of 1Password is not signed in', [
        'op signin',
        'set OP_SERVICE_ACCOUNT_TOKEN to the token of a service account',
      ])
    : new SecretsError('one_password_failed', 'The command op of 1Password failed', [
        'op item list   shows the reason',
      ]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
