import type { Management } from '../management.ts';
import { patchPolicy, type PolicyState, readPolicy } from '../policies.ts';
import type { Violation } from '../violations.ts';
import { createSpecPatch, hasSameContent } from './policy-changes.ts';
import type { SpecFields } from './policy-text.ts';

/** The result of an attempt to save. */
export type SaveOutcome =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'saved'; readonly state: PolicyState; readonly changed: readonly string[] }
  | { readonly kind: 'invalid'; readonly violations: readonly Violation[] }
  /** Others changed the policy since it was read. */
  | { readonly kind: 'conflict'; readonly present: PolicyState };

/** How often a save is repeated when only the status of the policy changed. */
const MAX_REPEATS = 5;

/**
 * Sends the fields that differ from the policy in the state that was read. A new status of the
 * policy is no conflict.
 * @param fields the editable fields of the policy, and any others that the user wrote
 * @throws CliError when the service refuses the request
 */
export async function savePolicy(
  management: Management,
  name: string,
  base: PolicyState,
  fields: SpecFields,
): Promise<SaveOutcome> {
  const patch = createSpecPatch(base.data, fields);
  const changed = Object.keys(patch);
  if (changed.length === 0) return { kind: 'unchanged' };
  let { etag } = base;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await patchPolicy(management, name, etag, patch);
    if (outcome.kind === 'saved') return { ...outcome, changed };
    if (outcome.kind === 'invalid') return outcome;
    const present = await readPolicy(management, name);
    if (attempt === MAX_REPEATS || !hasSameContent(base.data, present.data)) return { kind: 'conflict', present };
    etag = present.etag;
  }
}
