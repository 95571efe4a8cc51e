import type { ServerResponse } from 'node:http';
import {
  createResult,
  openStream,
  type ReceivedRequest,
  type Script,
  ScriptedHttp,
  writeMessage,
} from './scripted-http.ts';

/** A server of revision 2024-11-05 whose answers to requests a test scripts. */
export async function startSse(
  answer: (write: (message: unknown) => void, request: ReceivedRequest, response: ServerResponse) => void,
  { endpoint = '/messages?session=1' }: { endpoint?: string } = {},
): Promise<{ server: ScriptedHttp; stream: () => ServerResponse }> {
  let stream: ServerResponse | undefined;
  const script: Script = (request, response) => {
    if (request.method === 'GET') {
      stream = openStream(response);
      stream.write(`event: endpoint\ndata: ${endpoint}\n\n`);
      return;
    }
    const { method, id } = request.body;
    const write = (message: unknown) => writeMessage(stream!, message);
    if (method === 'initialize') {
      response.writeHead(202).end('Accepted');
      write(
        createResult(id, {
          protocolVersion: '2024-11-05',
          capabilities: {},
          serverInfo: { name: 'sse', version: '1' },
        }),
      );
    } else if (id === undefined || method === undefined) {
      response.writeHead(202).end('Accepted');
      if (method === undefined) answer(write, request, response);
    } else answer(write, request, response);
  };
  const server = await new ScriptedHttp(script).listen();
  return { server, stream: () => stream! };
}
