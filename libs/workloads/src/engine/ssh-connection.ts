import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Duplex } from 'node:stream';

/** An engine on another machine, behind SSH. */
export interface SshAddress {
  readonly kind: 'ssh';
  readonly host: string;
  readonly user: string | undefined;
  readonly port: number | undefined;
  /** The socket of the engine there; undefined: the one of its docker client. */
  readonly socket: string | undefined;
}

/** Characters of the standard error of ssh that an error quotes. */
const MAX_COMPLAINT = 300;

/** Returns the arguments of ssh for a connection to the engine, as the docker client has them. */
export function createSshArguments({ host, user, port, socket }: SshAddress): string[] {
  return [
    // Without a terminal a question for a password would never be answered.
    ...['-o', 'BatchMode=yes', '-o', 'ConnectTimeout=30', '-T'],
    ...(user === undefined ? [] : ['-l', user]),
    ...(port === undefined ? [] : ['-p', String(port)]),
    ...['--', host, 'docker'],
    ...(socket === undefined ? [] : ['--host', `unix://${socket}`]),
    ...['system', 'dial-stdio'],
  ];
}

/**
 * A connection to an engine through `ssh HOST docker system dial-stdio`, which copies its standard
 * streams from and to the socket of the engine there. It has the methods of a socket that the HTTP
 * client of Node calls.
 */
export class SshConnection extends Duplex {
  readonly #program: ChildProcessWithoutNullStreams;
  #complaint = '';

  constructor(address: SshAddress) {
    super({ allowHalfOpen: true });
    // A group of its own: Ctrl-C at a terminal must not end the connection before the clean-up.
    this.#program = spawn('ssh', createSshArguments(address), { stdio: 'pipe', detached: true });
    const { stdin, stdout, stderr } = this.#program;
    stdout.on('data', (part: Buffer) => {
      if (!this.push(part)) stdout.pause();
    });
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = `${this.#complaint}${text}`.slice(-MAX_COMPLAINT);
    });
    stdin.on('error', () => undefined);
    this.#program.on('error', (error: NodeJS.ErrnoException) =>
      this.destroy(error.code === 'ENOENT' ? new Error('the program ssh is not in PATH') : error),
    );
    // An error of ssh, such as a refused key, must arrive before the end of the stream.
    this.#program.on('close', (code) => {
      if (code === 0) this.push(null);
      else this.destroy(new Error(this.#explain(code)));
    });
  }

  override _read(): void {
    this.#program.stdout.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#program.stdin.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#program.stdin.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#program.kill();
    done(error);
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    this.#program.ref();
    return this;
  }

  /** Lets this process end while the connection is idle. */
  unref(): this {
    this.#program.unref();
    for (const stream of [this.#program.stdin, this.#program.stdout, this.#program.stderr])
      (stream as unknown as { unref?: () => void }).unref?.();
    return this;
  }

  #explain(code: number | null): string {
    const reason = this.#complaint.trim().split('\n').at(-1) ?? '';
    return `ssh ended with ${code === null ? 'a signal' : `exit code ${code}`}${reason === '' ? '' : `: ${reason}`}`;
  }
}
