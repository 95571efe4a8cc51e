import {
  acceptedContent,
  inputRequired,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { answerText, type FixtureTool, getDeclaredCapabilities, type ToolResult } from './fixture-tool.ts';
import { askForm, askModel, describeForm, describeSample, readAccepted, type Response, text } from './questions.ts';

/** State that a tool passes through the client. */
export interface QuestionState {
  round: number;
  name?: string;
}

/** Tools that keep a signed state in the client between two rounds. */
export function createStatefulTools(codec: RequestStateCodec<QuestionState>): Record<string, FixtureTool> {
  const confirm = async (_: unknown, { mcpReq }: ServerContext): Promise<ToolResult> =>
    mcpReq.requestState<QuestionState>() !== undefined && acceptedContent(mcpReq.inputResponses, 'confirm')
      ? answerText('state-ok')
      : inputRequired({
          inputRequests: { confirm: askForm('Please confirm', { ok: { type: 'boolean' } }) },
          requestState: await codec.mint({ round: 1 }),
        });
  return {
    test_input_required_result_request_state: { description: 'Asks and keeps a state.', call: confirm },
    test_input_required_result_tampered_state: { description: 'Asks and checks its state.', call: confirm },
    test_input_required_result_multi_round: {
      description: 'Asks twice.',
      call: (_, context) => askTwice(codec, context),
    },
    test_input_required_result_multiple_inputs: {
      description: 'Asks three questions at once.',
      call: (_, context) => askThree(codec, context),
    },
    test_input_required_result_capabilities: {
      description: 'Asks what the client supports.',
      call: (_, context) => askSupported(codec, context),
    },
  };
}

async function askTwice(codec: RequestStateCodec<QuestionState>, context: ServerContext): Promise<ToolResult> {
  const state = context.mcpReq.requestState<QuestionState>();
  const name = readAccepted(context, 'step1', 'name');
  const color = readAccepted(context, 'step2', 'color');
  if (state?.round === 2 && color !== undefined) return answerText(`${state.name} likes ${color}`);
  return state?.round === 1 && name !== undefined
    ? inputRequired({
        inputRequests: { step2: askForm('Step 2: What is your favorite color?', { color: text }) },
        requestState: await codec.mint({ round: 2, name }),
      })
    : inputRequired({
        inputRequests: { step1: askForm('Step 1: What is your name?', { name: text }) },
        requestState: await codec.mint({ round: 1 }),
      });
}

async function askThree(codec: RequestStateCodec<QuestionState>, { mcpReq }: ServerContext): Promise<ToolResult> {
  const { user_name: name, greeting, client_roots: roots } = mcpReq.inputResponses ?? {};
  if (name !== undefined && greeting !== undefined && roots !== undefined) {
    return answerText([describeForm(name as Response), describeSample(greeting as Response)].join('; '));
  }
  return inputRequired({
    inputRequests: {
      user_name: askForm('What is your name?', { name: text }),
      greeting: askModel('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    },
    requestState: await codec.mint({ round: 1 }),
  });
}

async function askSupported(codec: RequestStateCodec<QuestionState>, context: ServerContext): Promise<ToolResult> {
  const declared = getDeclaredCapabilities(context);
  const responses = context.mcpReq.inputResponses;
  if (responses !== undefined) return answerText(Object.keys(responses).join());
  if (!declared.elicitation && !declared.sampling) return answerText('The client supports no question.');
  return inputRequired({
    inputRequests: {
      ...(declared.elicitation && { elicited: askForm('Which value?', { value: text }) }),
      ...(declared.sampling && { sampled: askModel('Sample request', 50) }),
    },
    requestState: await codec.mint({ round: 1 }),
  });
}
