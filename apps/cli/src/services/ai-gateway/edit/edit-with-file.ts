import { CliError, ERROR_TYPES } from '../../../errors/cli-error.ts';
import { canAsk, choose } from '../../../terminal/choose.ts';
import { openEditor } from '../../../terminal/editor.ts';
import type { Management } from '../management.ts';
import { EditFile } from './edit-file.ts';
import { editPolicy, type EditOutcome } from './edit-policy.ts';

/**
 * Lets the user edit a policy in an editor. After a failure the text of the user stays in its file,
 * which the error names.
 * @param command the editor, a command of the shell
 * @throws CliError
 */
export async function editWithFile(
  management: Management,
  name: string,
  command: string,
  say: (text: string) => void,
): Promise<EditOutcome> {
  const file = new EditFile();
  let version: string | undefined;
  const edit = async (text: string, madeFrom: string | undefined): Promise<string> => {
    version = madeFrom;
    file.write(text);
    await openEditor(command, file.path);
    return file.read();
  };
  try {
    const outcome = await editPolicy(management, name, { edit, canAsk, choose, say });
    file.remove();
    return outcome;
  } catch (error) {
    if (!file.hasUserText()) {
      file.remove();
      throw error;
    }
    const condition = version === undefined ? '' : ` --if-match ${version}`;
    throw nameKeptFile(
      error,
      file.path,
      `gatehouse admin ai-policies edit ${name} --file ${file.path}${condition}`,
      say,
    );
  }
}

/**
 * Adds the path of the user's text to an error.
 * @param again the command that sends the text, if the policy is as it was
 */
function nameKeptFile(error: unknown, path: string, again: string, say: (text: string) => void): unknown {
  const kept = `Your text is kept in ${path}`;
  if (!(error instanceof CliError) || error.code === 'interrupted') {
    say(kept);
    return error;
  }
  const canRepeat = error.code === 'usage' || error.code === 'failed';
  const tries = canRepeat ? [...error.tryNext, again] : error.tryNext;
  return new ERROR_TYPES[error.code](`${error.message}\n${kept}`, tries, error.cause);
}
