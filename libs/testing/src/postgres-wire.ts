import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { MessageReader, StatementNames } from './postgres-messages.ts';

/**
 * Where in the life of a statement a trap lies: it has not reached the server; the server has it
 * and nobody has seen an answer; the server is done with it and its client does not know.
 */
export type Moment = 'before' | 'sent' | 'after';

/** A point at which something shall happen. */
export interface Trap {
  /** The statement, white space as in `statements()`. */
  text: string;
  /** Which one with this text, counted from the arming; 1 is the first. */
  occurrence: number;
  moment: Moment;
  /**
   * Only in a transaction that has completed this statement before, or with it; `occurrence` then
   * counts within the transaction.
   */
  within?: string;
}

/**
 * A wire between a service and its database that sees statements pass and can be cut at any of
 * them.
 */
export interface PostgresWire {
  /** The database's URL, through the wire. */
  readonly url: string;
  /**
   * The statements that the server has completed since `forget`, in their order, over all
   * connections; runs of white space are one space.
   */
  statements(): readonly string[];
  /**
   * The transactions among them that have ended, each with its statements from its begin to its
   * end, in the order of their ends.
   */
  transactions(): readonly (readonly string[])[];
  forget(): void;
  /**
   * Waits for a statement. When it comes, `spring` is called at once and the wire is dead from then
   * on: nothing more passes in either direction, what has been passed on to the server stays with
   * it. Resolves then.
   */
  arm(trap: Trap, spring: () => void): Promise<void>;
  /**
   * Waits for a statement. When it comes, its connection stands still from then on, in both
   * directions, while the others go on: what has been passed on to the server stays with it.
   * Resolves then. One trap of this kind at a time; `cut` ends what stands still.
   */
  hold(trap: Trap): Promise<void>;
  /**
   * The wire is dead from now on, as after a trap of `arm`. Call it together with what kills the
   * client.
   */
  cut(): void;
  close(): Promise<void>;
}

const BEGINS = /^(?:START TRANSACTION|BEGIN)\b/i;
const ENDS = /^(?:COMMIT|ROLLBACK)$/i;

const COPIES = /^COPY\b.* FROM STDIN\b/i;
/**
 * Whether a message is the last that belongs to a statement: the rows of a COPY come after its
 * text.
 */
const isLast = (type: string, text: string) => (COPIES.test(text) ? type === 'c' : type === 'S' || type === 'Q');

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/**
 * Puts a wire in front of a database.
 * @param databaseUrl without TLS, as on the loopback address
 */
export async function startPostgresWire(databaseUrl: string): Promise<PostgresWire> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let completed: string[] = [];
  let ended: (readonly string[])[] = [];
  let armed: { trap: Trap; seen: number; kills: boolean; spring: () => void } | undefined;
  let dead = false;
  const cuts = new Set<() => void>();
  /** Sets a trap. @param kills whether the wire is dead when it goes off */
  const set = (trap: Trap, kills: boolean, spring: () => void) =>
    new Promise<void>((resolve) => {
      armed = {
        ...{ trap, seen: 0, kills },
        spring: () => {
          spring();
          resolve();
        },
      };
    });

  /** A statement on its way; `number` counts those with the text of the trap. */
  interface Passing {
    text: string;
    number: number;
  }
  /** @param before the statements of its transaction that have been completed */
  const passing = (text: string, before: readonly string[]): Passing => {
    if (armed?.trap.text !== text) return { text, number: 0 };
    const { within } = armed.trap;
    if (within !== undefined) {
      const counts = text === within || before.includes(within);
      return { text, number: counts ? before.filter((other) => other === text).length + 1 : 0 };
    }
    armed.seen += 1;
    return { text, number: armed.seen };
  };

  /**
   * Whether the trap goes off for this statement at this moment: whoever asks then stops passing
   * things on.
   */
  const springs = ({ text, number }: Passing, moment: Moment): boolean => {
    const trap = armed?.trap;
    if (!armed || trap?.text !== text || trap.moment !== moment || trap.occurrence !== number) return false;
    const { kills, spring } = armed;
    armed = undefined;
    dead ||= kills;
    spring();
    if (kills) for (const cut of cuts) cut();
    return true;
  };

  const join = (near: Socket) => {
    const far = connect({ port: Number(target.port || 5432), host: target.hostname, noDelay: true });
    const names = new StatementNames();
    const fromClient = new MessageReader(1);
    const fromServer = new MessageReader(0);
    let current: Passing | undefined;
    let transaction: string[] = [];
    let still = false;
    // What was passed on stays with the server: it ends its side when it has read everything, as it
    // does for a client that was killed.
    const cut = () => {
      near.destroy();
      far.end();
    };
    cuts.add(cut);
    near.on('data', (chunk) => {
      for (const message of dead || still ? [] : fromClient.read(chunk)) {
        const text = names.textOf(message);
        if (text !== undefined && current === undefined) {
          current = passing(oneLine(text), transaction);
          if (springs(current, 'before')) {
            still = true;
            return;
          }
        }
        far.write(message.bytes);
        if (current !== undefined && isLast(message.type, current.text) && springs(current, 'sent')) {
          still = true;
          return;
        }
      }
    });
    far.on('data', (chunk) => {
      for (const message of dead || still ? [] : fromServer.read(chunk)) {
        if (message.type === 'Z' && current !== undefined) {
          const done = current;
          current = undefined;
          completed.push(done.text);
          if (BEGINS.test(done.text)) transaction = [];
          transaction.push(done.text);
          if (ENDS.test(done.text)) {
            ended.push(transaction);
            transaction = [];
          }
          if (springs(done, 'after')) {
            still = true;
            return;
          }
        }
        near.write(message.bytes);
      }
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(from);
          cuts.delete(cut);
          to.end();
        });
    }
  };
  // Messages pass one by one, each a small packet: held back until the last is acknowledged they
  // would cost 40 ms a statement.
  const server = createServer({ noDelay: true }, join).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  return {
    url: url.href,
    statements: () => completed,
    transactions: () => ended,
    forget: () => {
      completed = [];
      ended = [];
    },
    arm: (trap, spring) => set(trap, true, spring),
    hold: (trap) => set(trap, false, () => undefined),
    cut: () => {
      dead = true;
      for (const cut of cuts) cut();
    },
    close: async () => {
      const closed = once(server.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
