/** Events of real shapes, as the Responses API of OpenAI writes them. */

export const RESPONSE_USAGE =
  '{"input_tokens":328,"input_tokens_details":{"cached_tokens":64},"output_tokens":52,"output_tokens_details":{"reasoning_tokens":12},"total_tokens":380}';

export const OUTPUT = [
  '{"id":"rs_1","type":"reasoning","summary":[]}',
  '{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"x"}}',
  '{"id":"ws_2","type":"web_search_call","status":"completed","action":{"type":"open_page","url":"https://a.test"}}',
  '{"id":"fs_1","type":"file_search_call","status":"completed","queries":["y"],"results":null}',
  '{"id":"ws_3","type":"web_search_call","status":"failed","action":{"type":"search","query":"z"}}',
  '{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hi","annotations":[]}]}',
];

/** A response object. */
export const createResponse = (status: string, usage: string, output: readonly string[] = OUTPUT, error = 'null') =>
  `{"id":"resp_67ccd","object":"response","created_at":1741476777,"status":"${status}","background":false,"error":${error},"incomplete_details":null,"model":"gpt-5.4-2026-03-05","output":[${output.join(',')}],"store":true,"usage":${usage},"user":null,"metadata":{}}`;

const event = (type: string, rest: string) =>
  `event: ${type}\ndata: {"type":"${type}","sequence_number":1,${rest}}\n\n`;

/** The events before the terminal one. */
export const BEGINNING = [
  event('response.created', `"response":${createResponse('in_progress', 'null', [])}`),
  event('response.in_progress', `"response":${createResponse('in_progress', 'null', [])}`),
  ...OUTPUT.slice(0, -1).map((item, at) => event('response.output_item.done', `"output_index":${at},"item":${item}`)),
  event(
    'response.output_text.delta',
    '"item_id":"msg_1","output_index":5,"content_index":0,"delta":"Grüße ","logprobs":[]',
  ),
  event('response.function_call_arguments.delta', '"item_id":"fc_1","output_index":6,"delta":"{\\"a\\":"'),
  event('response.output_text.done', '"item_id":"msg_1","text":"Grüße "'),
];

/** The terminal event. */
export const createEnd = (status: 'completed' | 'incomplete' | 'failed', usage: string, error?: string) =>
  event(`response.${status}`, `"response":${createResponse(status, usage, OUTPUT, error)}`);
