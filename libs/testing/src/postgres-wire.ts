import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { MessageReader, StatementNames } from './postgres-messages.ts';

/**
 * The moment of a trap: before the server has the statement, after it was sent, or after the server
 * has completed it and before the client gets the answer.
 */
export type Moment = 'before' | 'sent' | 'after';

/** A point in the traffic at which the wire stops. */
export interface Trap {
  /** The statement, with white space as in `statements()`. */
  text: string;
  /** Position among the statements with this text since arming; 1 is the first. */
  occurrence: number;
  moment: Moment;
  /**
   * Limits the trap to a transaction that contains this statement up to now. `occurrence` then
   * counts within the transaction.
   */
  within?: string;
}

/** A TCP proxy between a service and its database that can stop at any statement. */
export interface PostgresWire {
  /** The URL of the database through the wire. */
  readonly url: string;
  /**
   * Returns the statements of all connections that the server has completed since `forget`, in
   * order, with single spaces.
   */
  statements(): readonly string[];
  /**
   * Returns the ended transactions among them in the order of their ends, each with its statements
   * from begin to end.
   */
  transactions(): readonly (readonly string[])[];
  forget(): void;
  /**
   * Sets a trap and resolves when a statement triggers it. The wire then calls `spring` and
   * forwards no more data in either direction. The server keeps the data that it has received.
   */
  arm(trap: Trap, spring: () => void): Promise<void>;
  /**
   * Sets a trap and resolves when a statement triggers it. The connection of that statement then
   * forwards no data until `cut` ends it; other connections continue. One trap at a time.
   */
  hold(trap: Trap): Promise<void>;
  /** Stops the wire like a trap of `arm`. Call it when the test kills the client. */
  cut(): void;
  close(): Promise<void>;
}

const BEGINS = /^(?:START TRANSACTION|BEGIN)\b/i;
const ENDS = /^(?:COMMIT|ROLLBACK)$/i;

const COPIES = /^COPY\b.* FROM STDIN\b/i;
/** Whether a message is the last one of a statement. The rows of a COPY follow its text. */
const isLast = (type: string, text: string) => (COPIES.test(text) ? type === 'c' : type === 'S' || type === 'Q');

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/**
 * Puts a wire in front of a database.
 * @param databaseUrl without TLS, as on the loopback address
 */
export async function startPostgresWire(databaseUrl: string): Promise<PostgresWire> {
  const wire = new Wire(databaseUrl);
  await wire.listen();
  return wire;
}

/** A statement on its way. `number` counts the statements with the text of the trap. */
interface PassingStatement {
  text: string;
  number: number;
}

interface ArmedTrap {
  trap: Trap;
  seen: number;
  /** Whether the whole wire is dead after the trap, not only the connection. */
  kills: boolean;
  spring: () => void;
}

class Wire implements PostgresWire {
  isDead = false;
  readonly #databaseUrl: URL;
  // Messages pass one by one, each as a small packet. Nagle's algorithm would delay each statement
  // by 40 ms.
  readonly #server = createServer({ noDelay: true }, (near) => this.#join(near));
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Set<WireConnection>();
  #completed: string[] = [];
  #ended: (readonly string[])[] = [];
  #armed: ArmedTrap | undefined;

  constructor(databaseUrl: string) {
    this.#databaseUrl = new URL(databaseUrl);
  }

  get url(): string {
    const url = new URL(this.#databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  statements(): readonly string[] {
    return this.#completed;
  }

  transactions(): readonly (readonly string[])[] {
    return this.#ended;
  }

  forget(): void {
    this.#completed = [];
    this.#ended = [];
  }

  arm(trap: Trap, spring: () => void): Promise<void> {
    return this.#set(trap, true, spring);
  }

  hold(trap: Trap): Promise<void> {
    return this.#set(trap, false, () => undefined);
  }

  cut(): void {
    this.isDead = true;
    for (const connection of this.#connections) connection.cut();
  }

  async close(): Promise<void> {
    const closed = once(this.#server.close(), 'close');
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /**
   * Counts the executions of the statement at which a fault is injected.
   * @param before the completed statements of its transaction
   */
  count(text: string, before: readonly string[]): PassingStatement {
    if (this.#armed?.trap.text !== text) return { text, number: 0 };
    const { within } = this.#armed.trap;
    if (within !== undefined) {
      const counts = text === within || before.includes(within);
      return { text, number: counts ? before.filter((other) => other === text).length + 1 : 0 };
    }
    this.#armed.seen += 1;
    return { text, number: this.#armed.seen };
  }

  /** Springs the trap when it waits for this statement. The connection then stops. */
  springs({ text, number }: PassingStatement, moment: Moment): boolean {
    const trap = this.#armed?.trap;
    if (!this.#armed || trap?.text !== text || trap.moment !== moment || trap.occurrence !== number) return false;
    const { kills, spring } = this.#armed;
    this.#armed = undefined;
    this.isDead ||= kills;
    spring();
    if (kills) this.cut();
    return true;
  }

  recordStatement(text: string): void {
    this.#completed.push(text);
  }

  recordTransaction(statements: readonly string[]): void {
    this.#ended.push(statements);
  }

  #set(trap: Trap, kills: boolean, spring: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.#armed = {
        ...{ trap, seen: 0, kills },
        spring: () => {
          spring();
          resolve();
        },
      };
    });
  }

  #join(near: Socket): void {
    const { port, hostname } = this.#databaseUrl;
    const far = connect({ port: Number(port || 5432), host: hostname, noDelay: true });
    const connection = new WireConnection(this, near, far);
    this.#connections.add(connection);
    near.on('data', (chunk) => connection.forward(chunk));
    far.on('data', (chunk) => connection.forwardBack(chunk));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from
        .on('error', () => undefined)
        .on('close', () => {
          this.#sockets.delete(from);
          this.#connections.delete(connection);
          to.end();
        });
    }
  }
}

/** One client connection of a wire. `near` is the side of the client, `far` that of the server. */
class WireConnection {
  readonly #wire: Wire;
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #names = new StatementNames();
  readonly #fromClient = new MessageReader(1);
  readonly #fromServer = new MessageReader(0);
  #current: PassingStatement | undefined;
  #transaction: string[] = [];
  #isHeld = false;

  constructor(wire: Wire, near: Socket, far: Socket) {
    this.#wire = wire;
    this.#near = near;
    this.#far = far;
  }

  /** Disconnects the client. The server reads what it was sent, as for a killed client. */
  cut(): void {
    this.#near.destroy();
    this.#far.end();
  }

  /** Forwards data of the client message by message, until a trap springs. */
  forward(chunk: Buffer): void {
    if (this.#isStopped()) return;
    for (const message of this.#fromClient.read(chunk)) {
      const text = this.#names.readStatement(message);
      if (text !== undefined && this.#current === undefined) {
        this.#current = this.#wire.count(oneLine(text), this.#transaction);
        if (this.#springs(this.#current, 'before')) return;
      }
      this.#far.write(message.bytes);
      const current = this.#current;
      if (current !== undefined && isLast(message.type, current.text) && this.#springs(current, 'sent')) return;
    }
  }

  /** Forwards data of the server message by message, until a trap springs. */
  forwardBack(chunk: Buffer): void {
    if (this.#isStopped()) return;
    for (const message of this.#fromServer.read(chunk)) {
      if (message.type === 'Z' && this.#current !== undefined) {
        const completed = this.#current;
        this.#current = undefined;
        this.#complete(completed.text);
        if (this.#springs(completed, 'after')) return;
      }
      this.#near.write(message.bytes);
    }
  }

  #complete(text: string): void {
    this.#wire.recordStatement(text);
    if (BEGINS.test(text)) this.#transaction = [];
    this.#transaction.push(text);
    if (ENDS.test(text)) {
      this.#wire.recordTransaction(this.#transaction);
      this.#transaction = [];
    }
  }

  #springs(statement: PassingStatement, moment: Moment): boolean {
    this.#isHeld ||= this.#wire.springs(statement, moment);
    return this.#isHeld;
  }

  #isStopped(): boolean {
    return this.#wire.isDead || this.#isHeld;
  }
}
