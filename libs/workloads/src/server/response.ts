/** Whether a line of output or of an event stream is a response: a result or an error. */
export function isResponse(line: string): boolean {
  const text = line.replace(/^data:/, '').trim();
  if (!text.startsWith('{')) return false;
  try {
    const message = JSON.parse(text) as { jsonrpc?: unknown; result?: unknown; error?: unknown };
    return message.jsonrpc === '2.0' && (message.result !== undefined || message.error !== undefined);
  } catch {
    return false;
  }
}
