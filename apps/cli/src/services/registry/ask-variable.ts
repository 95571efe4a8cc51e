import type { ServerVariable } from '@gatehouse/mcp-registry/servers/registry-server';
import { askLine } from '../../terminal/ask-line.ts';
import { askHidden } from '../../terminal/hidden-prompt.ts';
import { printable } from '../../terminal/output.ts';

/** The two ways to ask a person for a text. */
interface Prompts {
  readonly askHidden: (question: string) => Promise<string>;
  readonly askLine: (question: string) => Promise<string>;
}

/**
 * Asks for the value of a variable of a server, as `resolveEnvironment` needs it. The answer to a
 * secret is not shown. A registry wrote the texts of the question, so they are escaped.
 * @throws InterruptedError
 */
export function askVariable(variable: ServerVariable, prompts: Prompts = { askHidden, askLine }): Promise<string> {
  const { name, description, choices, secret } = variable;
  const hints = [description, choices.length === 0 ? '' : `one of ${choices.join(', ')}`].filter((hint) => hint !== '');
  const question = printable(`${name}${hints.length === 0 ? '' : ` (${hints.join('; ')})`}: `);
  return secret ? prompts.askHidden(question) : prompts.askLine(question);
}
