import { isDeepStrictEqual } from 'node:util';
import { createTwoFilesPatch, OMIT_HEADERS } from 'diff';
import { ConflictError, RefusedError, UsageError } from '../../../errors/cli-error.ts';
import { formatYaml, parseYaml } from '../../../yaml/yaml-text.ts';
import type { Editor } from '../../edit/editor.ts';
import { askAgain, createTextError } from '../../edit/text-problems.ts';
import type { Manager } from '../manager.ts';
import { putGatewaySettings, readGatewaySettings, type TaggedSettings } from './gateway-settings.ts';
import { rebaseSettings } from './settings-changes.ts';

/** The new state, or undefined if nothing was sent. */
export type SettingsOutcome = TaggedSettings | undefined;

/**
 * Lets a person edit the settings of a gateway, until the manager accepts them or the person stops.
 * @throws UsageError for a text with errors, ConflictError for settings that others changed, each
 * when the person cannot be asked; RefusedError when the person stops
 */
export async function editGatewaySettings(manager: Manager, gateway: string, editor: Editor): Promise<SettingsOutcome> {
  let base = await readGatewaySettings(manager, gateway);
  let text = writeText(gateway, base.settings);
  for (;;) {
    const edited = await editor.edit(text, base.etag);
    const { value, problems } = parseYaml(edited);
    if (problems.length > 0) {
      text = await askAgain(editor, edited, problems);
      continue;
    }
    if (value === null || value === undefined || isDeepStrictEqual(value, base.settings)) return undefined;
    const outcome = await putGatewaySettings(manager, gateway, value, base.etag);
    if (outcome.kind === 'saved') return outcome.state;
    if (outcome.kind === 'invalid') {
      text = await askAgain(editor, edited, [{ line: undefined, message: outcome.error.message }]);
      continue;
    }
    const present = await readGatewaySettings(manager, gateway);
    const rebased = await resolveConflict(editor, gateway, base, value, present);
    base = present;
    text = writeText(gateway, rebased);
  }
}

/**
 * Sends the settings of a file.
 * @param etag the required state; undefined for any state
 * @throws UsageError for a file with errors, ConflictError for another state
 */
export async function applySettingsFile(
  manager: Manager,
  gateway: string,
  text: string,
  etag: string | undefined,
): Promise<SettingsOutcome> {
  const { value, problems } = parseYaml(text);
  if (problems.length > 0) throw createTextError(problems);
  if (value === null || value === undefined) throw new UsageError('The file is empty; nothing was sent');
  const outcome = await putGatewaySettings(manager, gateway, value, etag);
  if (outcome.kind !== 'saved') throw outcome.error;
  return outcome.state;
}

/** Shows both changes and asks whether to go on. @returns the settings for the next edit */
async function resolveConflict(
  editor: Editor,
  gateway: string,
  base: TaggedSettings,
  edited: unknown,
  present: TaggedSettings,
): Promise<unknown> {
  editor.say(`The settings of the gateway ${gateway} were changed while you edited them.`);
  editor.say(`What others changed:\n${formatDiff(base.settings, present.settings)}`);
  editor.say(`What you changed:\n${formatDiff(base.settings, edited)}`);
  if (!editor.canAsk())
    throw new ConflictError(
      `The settings of the gateway ${gateway} were changed in the meantime; your text was not sent`,
      ['gatehouse admin gateways settings show   shows the present state'],
    );
  const answer = await editor.choose('[e]dit again on top of the present state, or [s]top?', ['edit', 'stop']);
  if (answer === 'stop') throw new RefusedError('Stopped; nothing was sent');
  return rebaseSettings(base.settings, edited, present.settings);
}

const writeText = (gateway: string, settings: unknown): string =>
  [
    `# Settings of the gateway ${gateway}. Save and close the editor to change them.`,
    '# null is unlimited. Lines that begin with # are ignored. An empty file changes nothing.',
    formatYaml(settings),
  ].join('\n');

const formatDiff = (before: unknown, after: unknown): string =>
  createTwoFilesPatch('', '', formatYaml(before), formatYaml(after), undefined, undefined, {
    headerOptions: OMIT_HEADERS,
  }).trimEnd();
