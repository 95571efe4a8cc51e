import type { CliError } from '../errors/cli-error.ts';
import { parseAnswer } from './exact-json.ts';

/**
 * A response with a parsed JSON document. The typed clients call `json()` when the response has a
 * length, and parse the text itself otherwise.
 */
const createParsedResponse = ({ status, statusText, headers }: Response, value: object): Response =>
  Object.assign(
    new Response(null, { status, statusText, headers: { ...Object.fromEntries(headers), 'content-length': '1' } }),
    { json: () => Promise.resolve(value) },
  );

/**
 * Parses the document of a success. A failure stays as it is.
 * @param toError the error for a success that is neither empty nor a JSON document
 */
export async function parseJsonResponse(
  response: Response,
  toError: (response: Response) => CliError,
): Promise<Response> {
  if (!response.ok) return response;
  const text = await response.clone().text();
  if (text === '') return response;
  try {
    const value = parseAnswer(text);
    if (typeof value === 'object' && value !== null) return createParsedResponse(response, value);
  } catch {
    // The error below does not repeat the text.
  }
  throw toError(response);
}
