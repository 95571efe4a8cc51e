import { ConflictError, RefusedError, UsageError } from '../../../errors/cli-error.ts';
import type { Editor } from '../../edit/editor.ts';
import { askAgain, createTextError, type TextProblem } from '../../edit/text-problems.ts';
import type { Management } from '../management.ts';
import { type PolicyState, readPolicy } from '../policies.ts';
import { formatViolation } from '../violations.ts';
import { findClashes, formatConflict, rebaseFields } from './policy-changes.ts';
import { type EditedText, parsePolicyText, selectEditable, type SpecFields, writePolicyText } from './policy-text.ts';
import { type SaveOutcome, savePolicy } from './save-policy.ts';

/** The result of an edit. */
export type EditOutcome = Extract<SaveOutcome, { kind: 'unchanged' | 'saved' }>;

type Fields = Extract<EditedText, { kind: 'fields' }>;

/**
 * Lets a person edit a policy, until the service accepts the text or the person stops.
 * @throws UsageError for a text with errors, ConflictError for a policy that others changed, each
 * when the person cannot be asked; RefusedError when the person stops
 */
export async function editPolicy(management: Management, name: string, editor: Editor): Promise<EditOutcome> {
  let base = await readPolicy(management, name);
  let text = writePolicyText(base.data, selectEditable(base.data));
  for (;;) {
    const edited = await editor.edit(text, base.data.metadata?.resourceVersion);
    const parsed = parsePolicyText(edited);
    if (parsed.kind === 'empty') return { kind: 'unchanged' };
    if (parsed.kind === 'broken') {
      text = await askAgain(editor, edited, parsed.problems);
      continue;
    }
    const outcome = await saveOrAsk(management, name, base, parsed.fields, editor);
    if (outcome.kind === 'edit') {
      ({ base, text } = outcome);
      continue;
    }
    if (outcome.kind !== 'invalid') return outcome;
    text = await askAgain(editor, edited, describeViolations(outcome.violations, parsed));
  }
}

/**
 * Sends the fields of a file.
 * @param expected the required `metadata.resourceVersion` of the policy; default: that of the file
 * @throws UsageError for a file with errors, ConflictError for a policy of another version
 */
export async function applyPolicyFile(
  management: Management,
  name: string,
  text: string,
  expected: string | undefined,
): Promise<EditOutcome> {
  const parsed = parsePolicyText(text);
  if (parsed.kind === 'empty') throw new UsageError('The file is empty; nothing was sent');
  if (parsed.kind === 'broken') throw createTextError(parsed.problems);
  const present = await readPolicy(management, name);
  const version = expected ?? parsed.resourceVersion;
  if (version !== undefined && version !== present.data.metadata?.resourceVersion)
    throw new ConflictError(
      `The AI policy ${JSON.stringify(name)} was changed since version ${version}; nothing was sent`,
      [
        `gatehouse admin ai-policies show ${name}   shows the present state`,
        'without --if-match, and without metadata.resourceVersion in the file, to overwrite it',
      ],
    );
  const outcome = await savePolicy(management, name, present, parsed.fields);
  if (outcome.kind === 'invalid') throw createTextError(describeViolations(outcome.violations, parsed));
  if (outcome.kind === 'conflict') throw createConflictError(name);
  return outcome;
}

/** A conflict that the person resolves by another edit: the present state, and the text for it. */
interface EditAgain {
  readonly kind: 'edit';
  readonly base: PolicyState;
  readonly text: string;
}

/** Saves a text. When others changed the policy, shows both changes and asks what to do. */
async function saveOrAsk(
  management: Management,
  name: string,
  base: PolicyState,
  fields: SpecFields,
  editor: Editor,
): Promise<Exclude<SaveOutcome, { kind: 'conflict' }> | EditAgain> {
  const outcome = await savePolicy(management, name, base, fields);
  if (outcome.kind !== 'conflict') return outcome;
  const { present } = outcome;
  editor.say(`The AI policy ${name} was changed while you edited it.`);
  editor.say(formatConflict(base.data, fields, present.data));
  if (!editor.canAsk()) throw createConflictError(name);
  const rebased = rebaseFields(base.data, fields, present.data);
  const answer = await editor.choose(
    '[o]verwrite the fields that you changed, [e]dit again on top of the present state, or [s]top?',
    ['overwrite', 'edit', 'stop'],
  );
  if (answer === 'stop') throw new RefusedError('Stopped; nothing was sent');
  if (answer === 'overwrite') return saveOrAsk(management, name, present, rebased, editor);
  const clashes = findClashes(base.data, fields, present.data);
  return { kind: 'edit', base: present, text: writePolicyText(present.data, rebased, clashes) };
}

const describeViolations = (
  violations: Extract<SaveOutcome, { kind: 'invalid' }>['violations'],
  { findLine }: Fields,
): TextProblem[] =>
  violations.map((violation) => ({ line: findLine(violation.field), message: formatViolation(violation, {}) }));

const createConflictError = (name: string): ConflictError =>
  new ConflictError(`The AI policy ${JSON.stringify(name)} was changed in the meantime; your text was not sent`, [
    `gatehouse admin ai-policies show ${name}   shows the present state`,
  ]);
