import { acceptedContent, inputRequired, type ServerContext } from '@modelcontextprotocol/server';

/** A response of the client, unchecked. */
export type Response = Record<string, unknown>;

/** Properties of a form. */
export type Properties = Record<string, Record<string, unknown>>;

type Form = Parameters<typeof inputRequired.elicit>[0];

/** The schema of a text. */
export const text = { type: 'string' };

/** Asks the user with a form. */
export const askForm = (message: string, properties: Properties, required = Object.keys(properties)) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required } } as Form);

/** Asks the model of the client. */
export const askModel = (prompt: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens });

/** Describes the response to a form. */
export const describeForm = ({ action, content }: Response): string =>
  `action=${String(action)}, content=${JSON.stringify(content)}`;

/** Describes the response of a model. */
export const describeSample = ({ content }: Response): string =>
  `LLM response: ${String((content as Response)['text'])}`;

/** Returns the text in a field of an accepted form, if there is one. */
export function readAccepted({ mcpReq }: ServerContext, key: string, field: string): string | undefined {
  const value = acceptedContent(mcpReq.inputResponses, key)?.[field];
  return typeof value === 'string' ? value : undefined;
}
