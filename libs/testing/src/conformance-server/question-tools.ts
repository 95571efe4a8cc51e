import { inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { answerText, type FixtureTool } from './fixture-tool.ts';
import {
  askForm,
  askModel,
  describeForm,
  describeSample,
  type Properties,
  readAccepted,
  type Response,
  text,
} from './questions.ts';

const DEFAULTS: Properties = {
  name: { type: 'string', description: 'User name', default: 'John Doe' },
  age: { type: 'integer', description: 'User age', default: 30 },
  score: { type: 'number', description: 'User score', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', description: 'Verification status', default: true },
};

const titled = ['First', 'Second', 'Third'].map((title, at) => ({ const: `value${at + 1}`, title }));
const plain = ['option1', 'option2', 'option3'];

const CHOICES: Properties = {
  untitledSingle: { type: 'string', enum: plain },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
  untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: plain } },
  titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled } },
};

/** Asks one question and describes the response. */
function askOnce(
  description: string,
  key: string,
  request: (args: Response) => ReturnType<typeof inputRequired.listRoots>,
  describe: (response: Response) => string,
  inputSchema?: Record<string, unknown>,
): FixtureTool {
  return {
    description,
    ...(inputSchema && { inputSchema }),
    call: (args, { mcpReq }) =>
      inputResponse(mcpReq.inputResponses, key).kind === 'missing'
        ? inputRequired({ inputRequests: { [key]: request(args) } })
        : answerText(describe(mcpReq.inputResponses?.[key] as Response)),
  };
}

const describeRoots = ({ roots }: Response) => `Found ${(roots as unknown[]).length} root(s)`;
const requireText = (name: string) => ({ type: 'object', properties: { [name]: text }, required: [name] });

/** Tools that ask the user or the model through the client (SEP-2322, and requests before it). */
export const questionTools: Record<string, FixtureTool> = {
  test_sampling: askOnce(
    'Asks the model of the client.',
    'sample',
    ({ prompt }) => askModel(String(prompt), 100),
    describeSample,
    requireText('prompt'),
  ),
  test_elicitation: askOnce(
    'Asks the user with a form.',
    'form',
    ({ message }) => askForm(String(message), { username: text, email: text }),
    describeForm,
    requireText('message'),
  ),
  test_elicitation_url: askOnce(
    'Sends the user to a page.',
    'page',
    () => inputRequired.elicitUrl({ message: 'Open the page', url: 'https://example.com/page' }),
    ({ action }) => `action=${String(action)}`,
  ),
  test_elicitation_sep1034_defaults: askOnce(
    'Asks with a default for each field (SEP-1034).',
    'form',
    () => askForm('Please review the defaults', DEFAULTS, []),
    describeForm,
  ),
  test_elicitation_sep1330_enums: askOnce(
    'Asks with each kind of choice (SEP-1330).',
    'form',
    () => askForm('Please select options', CHOICES, []),
    describeForm,
  ),
  test_missing_capability: askOnce(
    'Needs the model of the client.',
    'sample',
    () => askModel('Say something', 10),
    describeSample,
  ),
  test_input_required_result_elicitation: {
    description: 'Asks for a name.',
    call: (_, context) => {
      const name = readAccepted(context, 'user_name', 'name');
      return name === undefined
        ? inputRequired({ inputRequests: { user_name: askForm('What is your name?', { name: text }) } })
        : answerText(`Hello, ${name}!`);
    },
  },
  test_input_required_result_sampling: askOnce(
    'Asks the model of the client.',
    'capital_question',
    () => askModel('What is the capital of France?', 100),
    describeSample,
  ),
  test_input_required_result_list_roots: askOnce(
    'Asks for the roots of the client.',
    'client_roots',
    () => inputRequired.listRoots(),
    describeRoots,
  ),
};
