import { ModelCallError } from '../formats/model-call-error.ts';
import type { WireFormat } from '../formats/operation.ts';

/** A value of a request, and the field of the client's request that has it. */
export interface Located<T> {
  readonly value: T;
  readonly field: string;
}

/**
 * The error for a part of a request that has no equivalent in the format of the provider.
 * @param field in the client's request, such as `messages.0.content.1`
 * @param detail a sentence that says what could be sent instead
 */
export const createUntranslatableError = (field: string, target: WireFormat, detail?: string): ModelCallError =>
  new ModelCallError(
    'untranslatable',
    `'${field}' has no equivalent in the format of ${target}, which the provider of this model has. ` +
      (detail ?? 'Send the request without it, or use a model whose provider has your format.'),
    { field, reason: 'untranslatable' },
  );

/** Names the field of a value. @returns undefined for a value that the client has not sent */
export const locate = <T>(field: string, value: T | null | undefined): Located<T> | undefined =>
  value === undefined || value === null ? undefined : { value, field };

/** Refuses settings that the format of the provider does not have. @throws ModelCallError */
export function refuseSettings(target: WireFormat, settings: readonly (Located<unknown> | undefined)[]): void {
  const refused = settings.find((setting) => setting !== undefined);
  if (refused !== undefined) throw createUntranslatableError(refused.field, target);
}
