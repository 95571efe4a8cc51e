import { RefusedError, UsageError } from '../../errors/cli-error.ts';
import type { Editor } from './editor.ts';

/** The beginning of a comment with an error, which the next edit replaces. */
const ERROR_MARK = '# Error: ';

/** An error in an edited text. */
export interface TextProblem {
  readonly line: number | undefined;
  readonly message: string;
}

/** Puts errors into comments at the beginning of a text, in place of those of an earlier edit. */
export function markProblems(text: string, problems: readonly TextProblem[]): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !line.startsWith(ERROR_MARK));
  const rest = first === -1 ? [] : lines.slice(first);
  const marks = problems.flatMap(({ message }) => message.split('\n'));
  const shift = marks.length - (lines.length - rest.length);
  const comments = problems.flatMap(({ line, message }) =>
    message.split('\n').map((part, index) => {
      const where = index === 0 && line !== undefined ? `line ${line + shift}: ` : '';
      return `${ERROR_MARK}${where}${part}`;
    }),
  );
  return [...comments, ...rest].join('\n');
}

/** Shows the errors of a text. @returns the text with the errors as comments, for another edit */
export async function askAgain(editor: Editor, text: string, problems: readonly TextProblem[]): Promise<string> {
  const error = createTextError(problems);
  if (!editor.canAsk()) throw error;
  editor.say(error.message);
  if ((await editor.choose('[e]dit again, or [s]top?', ['edit', 'stop'])) === 'stop')
    throw new RefusedError('Stopped; nothing was sent');
  return markProblems(text, problems);
}

/** The error of a text with errors. */
export function createTextError(problems: readonly TextProblem[]): UsageError {
  const lines = problems.map(({ line, message }) => `  ${line === undefined ? '' : `line ${line}: `}${message}`);
  return new UsageError(`The text is not valid; nothing was changed:\n${lines.join('\n')}`);
}
