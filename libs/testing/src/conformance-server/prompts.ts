import { completable, type GetPromptResult, inputRequired, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { IMAGE } from './content-tools.ts';
import { readAccepted } from './questions.ts';

type Content = GetPromptResult['messages'][number]['content'];

const ask = (...contents: Content[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
});
const say = (text: string): Content => ({ type: 'text', text });

const suggestions = ['testValue1', 'testValue2', 'paris'];

/** Registers the prompts of the scenarios `prompts-*` and `completion-complete`. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'A text.' }, () =>
    ask(say('This is a simple prompt for testing.')),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'A text with two arguments.',
      argsSchema: z.object({
        arg1: completable(z.string(), (value) => suggestions.filter((one) => one.startsWith(value))),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => ask(say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A text and a resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) =>
      ask(
        { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } },
        say('Please process the embedded resource above.'),
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'A text and an image.' }, () =>
    ask({ type: 'image', data: IMAGE, mimeType: 'image/png' }, say('Please analyze the image above.')),
  );
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks the user for its text.' },
    (context) => {
      const accepted = readAccepted(context, 'user_context', 'context');
      if (accepted !== undefined) return ask(say(`Prompt with context: ${accepted}`));
      const requestedSchema = z.object({ context: z.string() });
      const message = 'What context should the prompt use?';
      return inputRequired({ inputRequests: { user_context: inputRequired.elicit({ message, requestedSchema }) } });
    },
  );
}
