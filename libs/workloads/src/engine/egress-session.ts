import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { getErrorMessage } from '../errors/workload-error.ts';
import {
  FAILED,
  SEND,
  type ServedPorts,
  SERVING,
  type WorkloadRules,
  writeRules,
} from '../isolation/workload-rules.ts';
import { OutputDemultiplexer } from './container-output.ts';
import type { Engine } from './engine.ts';
import { PROGRAM_PATH } from './program-image.ts';

/** Time after which rules are sent again that the egress container has not answered. */
const REPEAT_MS = 2_000;
/** Lines of the log that are read again. They are those of other sessions. */
const EARLIER_LINES = 100;

/** The egress container has ended. */
export class EgressLostError extends GatehouseError {
  override readonly code = 'egress_lost';
}

/** The egress container cannot put rules into force. */
export class RulesRefusedError extends GatehouseError {
  override readonly code = 'rules_refused';
}

/** The waiting for one answer. */
interface Waiting {
  readonly resolve: (ports: ServedPorts) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The connection of one supervisor with a running egress container. Rules go to the standard input
 * of the container, which only users of the engine reach. Its answers and its refused connections
 * are lines of its log.
 */
export class EgressSession {
  /** Resolves with the reason, once the container has ended. */
  readonly ended: Promise<string>;
  readonly #engine: Engine;
  readonly #container: { readonly id: string; readonly isPodman: boolean };
  readonly #session = randomBytes(6).toString('hex');
  readonly #log: (line: string) => void;
  readonly #abort = new AbortController();
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;

  /** @param log receives the lines about refused connections */
  constructor(
    engine: Engine,
    container: { readonly id: string; readonly isPodman: boolean },
    log: (line: string) => void,
  ) {
    this.#engine = engine;
    this.#container = container;
    this.#log = log;
    this.ended = this.#follow().then((reason) => {
      for (const { reject } of this.#waiting.values()) reject(new EgressLostError(reason));
      return reason;
    });
  }

  /**
   * Puts rules into force.
   * @throws EgressLostError, RulesRefusedError; EngineResponseError when the container has ended
   */
  async send(rules: Omit<WorkloadRules, 'session' | 'number'>, timeoutMs: number): Promise<ServedPorts> {
    this.#number += 1;
    const number = this.#number;
    const line = writeRules({ ...rules, session: this.#session, number });
    const done = new AbortController();
    const answer = new Promise<ServedPorts>((resolve, reject) => this.#waiting.set(number, { resolve, reject }));
    const late = sleep(timeoutMs, undefined, { signal: done.signal }).then(() => {
      throw new RulesRefusedError(`it does not answer within ${timeoutMs / 1000} s`);
    });
    try {
      return await Promise.race([answer, late, this.#repeat(line, done.signal)]);
    } finally {
      done.abort();
      this.#waiting.delete(number);
    }
  }

  /** Ends the connection. The rules stay in force. */
  close(): void {
    this.#abort.abort();
  }

  /** Writes a line until it is answered. @returns never */
  async #repeat(line: string, signal: AbortSignal): Promise<never> {
    for (;;) {
      await this.#write(line);
      await sleep(REPEAT_MS, undefined, { signal });
    }
  }

  async #write(line: string): Promise<void> {
    const { id, isPodman } = this.#container;
    if (isPodman) {
      // Podman closes the standard input with the first connection that ends.
      const Cmd = ['/proc/1/exe', PROGRAM_PATH, SEND, line];
      const exec = (await this.#engine.call('POST', `/containers/${id}/exec`, { Cmd })) as { Id: string };
      await this.#engine.call('POST', `/exec/${exec.Id}/start`, { Detach: true });
      return;
    }
    const { socket } = await this.#engine.hijack(`/containers/${id}/attach?stream=1&stdin=1`);
    socket.on('error', () => undefined);
    socket.resume();
    socket.end(line);
  }

  /** Reads the lines of this session. @returns the reason of the end */
  async #follow(): Promise<string> {
    let rest = '';
    let last = 'it ended';
    const demultiplexer = new OutputDemultiplexer((_stream, data) => {
      const lines = `${rest}${data.toString('utf8')}`.split('\n');
      rest = (lines.pop() ?? '').slice(-4000);
      for (const line of lines) {
        if (line.startsWith(`${this.#session} `)) this.#take(line.slice(this.#session.length + 1));
        else if (!/^[0-9a-f]{12} /.test(line)) last = line;
      }
    });
    try {
      const path = `/containers/${this.#container.id}/logs?stdout=1&stderr=1&follow=1&tail=${EARLIER_LINES}`;
      const response = await this.#engine.stream('GET', path, { abort: this.#abort.signal });
      for await (const chunk of response) demultiplexer.push(chunk as Buffer);
    } catch (error) {
      last = getErrorMessage(error);
    }
    return last;
  }

  #take(line: string): void {
    const [, word, number, text = ''] = /^(\w+) (\d+) (.*)$/.exec(line) ?? [];
    const waiting = this.#waiting.get(Number(number));
    if (word === SERVING) waiting?.resolve(JSON.parse(text) as ServedPorts);
    else if (word === FAILED) waiting?.reject(new RulesRefusedError(text));
    else this.#log(line);
  }
}
