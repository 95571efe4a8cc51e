/** The settings of a client in a session: its log level and its subscriptions to resources. */
import { readMessage, type RpcRequest } from '@gatehouse/mcp/json-rpc';
import type { HttpSession } from '../pipeline/http-session.ts';

/** A request that sets something is small. */
const MAX_BYTES = 1_024;
/** The most settings that are kept of one session. */
const MAX_SETTINGS = 16;
/** Only requests with one of these texts are parsed. */
const MARKS = ['/setLevel"', 'subscribe"'].map((text) => Buffer.from(text));

/** Keeps the request of a client that sets something; others cost the search for two texts. */
export function keepSetting({ settings }: HttpSession, body: Buffer): void {
  if (body.length > MAX_BYTES || !MARKS.some((mark) => body.includes(mark))) return;
  const read = readMessage(body.toString('utf8'));
  if (read.kind !== 'request') return;
  const { method, params } = read.message;
  const uri = params?.['uri'];
  if (method === 'logging/setLevel') settings.set(method, read.message);
  else if (typeof uri !== 'string') return;
  else if (method === 'resources/unsubscribe') settings.delete(uri);
  else if (method === 'resources/subscribe' && settings.size < MAX_SETTINGS) settings.set(uri, read.message);
}

/** The bodies of the requests that set everything again, with ids of their own. */
export const listSettings = ({ settings }: HttpSession): string[] =>
  [...settings.values()].map((message: RpcRequest, index) =>
    JSON.stringify({ ...message, id: `gatehouse-restore-${index}` }),
  );
