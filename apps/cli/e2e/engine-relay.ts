import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A call of the engine, such as `POST /containers/{}/start`. */
export interface EngineCall {
  /** The method and the path, whose names and ids are `{}`. */
  readonly operation: string;
  readonly number: number;
}

/**
 * The response of the relay to one call: the one of the engine, an error of the engine, the loss of
 * the connection before the engine has the call, or after it has done the work.
 */
export type RelayAction = 'pass' | 'refuse' | 'lose-call' | 'lose-answer';

const NAMES =
  /\/(containers|images|networks|exec)\/(?!create|json|get|load|prune)[^?]*?(?=\/(?:json|start|stop|kill|wait|attach|logs|push|tag|exec)\b|\?|$)/;

/**
 * A relay on a Unix socket between the command line and the engine. It can fail any call, so that a
 * test reaches each moment of a start.
 */
export class EngineRelay {
  /** The value of DOCKER_HOST. */
  readonly dockerHost: string;
  readonly calls: EngineCall[] = [];
  /** Decides about a call, before the engine receives it. */
  decide: (call: EngineCall) => RelayAction = () => 'pass';
  readonly #folder: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: string, folder: string) {
    this.#folder = folder;
    this.dockerHost = `unix://${join(folder, 'engine.sock')}`;
    this.#server = createServer((incoming, outgoing) => {
      const action = this.#record(incoming);
      if (action === 'lose-call') return incoming.socket.destroy();
      if (action === 'refuse') {
        outgoing.writeHead(500, { 'content-type': 'application/json' });
        return outgoing.end('{"message":"the disk is full"}');
      }
      const { method, url: path, headers } = incoming;
      const upstream = request({ socketPath: target, method, path, headers }, (response) => {
        if (action === 'lose-answer') return incoming.socket.destroy();
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(outgoing);
        return undefined;
      });
      upstream.on('error', () => incoming.socket.destroy());
      outgoing.on('close', () => upstream.destroy());
      incoming.pipe(upstream);
      return undefined;
    });
    this.#server.on('upgrade', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
      const action = this.#record(incoming);
      if (action !== 'pass') return client.destroy();
      const engine = connect(target);
      this.#sockets.add(engine).add(client);
      const lines = Object.entries(incoming.headers).map(([name, value]) => `${name}: ${String(value)}`);
      engine.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      engine.write(head);
      engine.pipe(client).on('error', () => engine.destroy());
      client.pipe(engine).on('error', () => client.destroy());
      return undefined;
    });
  }

  /** @param dockerHost the engine, on a Unix socket */
  static async to(dockerHost: string): Promise<EngineRelay> {
    const relay = new EngineRelay(dockerHost.replace(/^unix:\/\//, ''), mkdtempSync(join(tmpdir(), 'engine-relay-')));
    relay.#server.listen(relay.dockerHost.slice('unix://'.length));
    await once(relay.#server, 'listening');
    return relay;
  }

  close(): void {
    this.#server.closeAllConnections();
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #record({ method = '', url = '' }: IncomingMessage): RelayAction {
    const path = url.replace(NAMES, '/$1/{}').replace(/\?.*/, '');
    const call = { operation: `${method} ${path}`, number: this.calls.length + 1 };
    this.calls.push(call);
    return this.decide(call);
  }
}
