import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** The rule that refused: the URL's form, plain http, the address, a redirect, or the size. */
export type EgressRule = 'malformed' | 'insecure' | 'address' | 'redirect' | 'size';

/** A rule refused or ended an outgoing call. The message is a sentence for the administrator. */
export class EgressRefusalError extends GatehouseError {
  override readonly code = 'egress_refused';
  readonly rule: EgressRule;

  constructor(rule: EgressRule, message: string, cause?: unknown) {
    super(message, { cause });
    this.rule = rule;
  }
}

/** Finds the refusal among an error and its causes. */
export function findRefusal(error: unknown): EgressRefusalError | undefined {
  for (const cause of listCauses(error)) if (cause instanceof EgressRefusalError) return cause;
  return undefined;
}

/** The members of an error. An error of another realm is not an `instanceof` this realm's Error. */
interface ErrorMembers {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/** The error and all its causes, outermost first. */
export function listCauses(error: unknown): readonly ErrorMembers[] {
  const causes: ErrorMembers[] = [];
  const open = [error];
  while (open.length > 0 && causes.length < 32) {
    const next = open.shift();
    if (typeof next !== 'object' || next === null || causes.includes(next)) continue;
    const thrown: ErrorMembers = next;
    causes.push(thrown);
    if (Array.isArray(thrown.errors)) open.push(...(thrown.errors as unknown[]));
    open.push(thrown.cause);
  }
  return causes;
}
