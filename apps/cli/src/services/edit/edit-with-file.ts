import { CliError, ERROR_TYPES } from '../../errors/cli-error.ts';
import { canAsk, choose } from '../../terminal/choose.ts';
import { openEditor } from '../../terminal/editor.ts';
import { EditFile } from './edit-file.ts';
import type { Editor } from './editor.ts';

/** The parts of an edit that depend on the edited object. */
export interface EditTask<Outcome> {
  /** The beginning of the names of the edited files. */
  readonly stem: string;
  /** The editor, a command of the shell. */
  readonly command: string;
  readonly say: (text: string) => void;
  /** Lets the user edit the object. */
  readonly run: (editor: Editor) => Promise<Outcome>;
  /** The command that sends a kept file, if the object has still this version. */
  readonly getRetryCommand: (path: string, version: string | undefined) => string;
}

/**
 * Lets the user edit an object in an editor. After a failure the text of the user stays in its
 * file, which the error names.
 * @throws CliError
 */
export async function editWithFile<Outcome>(task: EditTask<Outcome>): Promise<Outcome> {
  const file = new EditFile(task.stem);
  let version: string | undefined;
  const edit = async (text: string, madeFrom: string | undefined): Promise<string> => {
    version = madeFrom;
    file.write(text);
    await openEditor(task.command, file.path);
    return file.read();
  };
  try {
    const outcome = await task.run({ edit, canAsk, choose, say: task.say });
    file.remove();
    return outcome;
  } catch (error) {
    if (!file.hasUserText()) {
      file.remove();
      throw error;
    }
    throw nameKeptFile(error, file.path, task.getRetryCommand(file.path, version), task.say);
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
