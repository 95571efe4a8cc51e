/** Which rule refused: the URL's form, plain http, the address behind it, a redirect, or a size. */
export type EgressRule = 'malformed' | 'insecure' | 'address' | 'redirect' | 'size';

/**
 * An outgoing call that the rules do not let happen, or did not let go on. The message is a
 * sentence for the administrator.
 */
export class EgressRefusal extends Error {
  readonly rule: EgressRule;

  constructor(rule: EgressRule, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EgressRefusal';
    this.rule = rule;
  }
}

/** The refusal inside of an error, however deep a client or the dispatcher has wrapped it. */
export function refusalIn(error: unknown): EgressRefusal | undefined {
  for (const cause of causesOf(error)) if (cause instanceof EgressRefusal) return cause;
  return undefined;
}

/**
 * What is read of a thrown value: errors of other realms (worker, test sandbox) are no `instanceof`
 * of this one's Error.
 */
interface Thrown {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/** The error and all its causes, outermost first. */
export function causesOf(error: unknown): readonly Thrown[] {
  const causes: Thrown[] = [];
  const open = [error];
  while (open.length > 0 && causes.length < 32) {
    const next = open.shift();
    if (typeof next !== 'object' || next === null || causes.includes(next)) continue;
    const thrown: Thrown = next;
    causes.push(thrown);
    if (Array.isArray(thrown.errors)) open.push(...(thrown.errors as unknown[]));
    open.push(thrown.cause);
  }
  return causes;
}
