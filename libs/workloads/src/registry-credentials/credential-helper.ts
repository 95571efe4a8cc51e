import { execFile } from 'node:child_process';
import { WorkloadError } from '../errors/workload-error.ts';

/** The credentials that a helper returned. */
export interface HelperAnswer {
  /** `<token>` when the secret is an identity token. */
  readonly username: string;
  readonly secret: string;
}

/** Maximum time of a helper. Some ask a person to unlock a keyring. */
const TIME_LIMIT_MS = 30_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
/** Helpers are found in PATH by this name, so it must not have a slash. */
const NAME = /^[A-Za-z0-9._-]{1,64}$/;
/** The answer of helpers that have nothing for a server. */
const NOT_FOUND = /credentials not found in native keychain/i;

/** A request to a helper. */
export interface HelperRequest {
  /** The part behind `docker-credential-`. */
  readonly name: string;
  /** The key of the server, as the helper stores it. */
  readonly server: string;
  /** The environment of the helper; default: that of this process. */
  readonly environment?: Readonly<NodeJS.ProcessEnv> | undefined;
  readonly abort: AbortSignal;
  readonly timeLimitMs?: number;
}

/**
 * Asks a credential helper: `docker-credential-NAME get`, with the server on standard input.
 * @returns undefined when the helper has no credentials of the server
 * @throws WorkloadError (failed) that names the helper and never contains a secret
 */
export async function askCredentialHelper(request: HelperRequest): Promise<HelperAnswer | undefined> {
  const program = `docker-credential-${request.name}`;
  if (!NAME.test(request.name)) throw failedHelper(program, request.server, 'its name is not a name of a program');
  const { error, output } = await runHelper(program, request);
  request.abort.throwIfAborted();
  if (error === null) return parseAnswer(program, request.server, output);
  if (NOT_FOUND.test(output)) return undefined;
  throw failedHelper(program, request.server, describeFailure(error, output));
}

type HelperError = Error & { code?: string | number | null; killed?: boolean };

function runHelper(
  program: string,
  { server, environment, abort, timeLimitMs = TIME_LIMIT_MS }: HelperRequest,
): Promise<{ error: HelperError | null; output: string }> {
  return new Promise((resolve) => {
    const limits = { timeout: timeLimitMs, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES } as const;
    const options = { ...limits, signal: abort, ...(environment && { env: environment }) };
    const child = execFile(program, ['get'], options, (error, output) => resolve({ error, output }));
    // A helper that ends without reading its input closes the pipe.
    child.stdin?.on('error', () => undefined).end(server);
  });
}

function parseAnswer(program: string, server: string, output: string): HelperAnswer {
  try {
    const { Username: username, Secret: secret } = JSON.parse(output) as { Username?: unknown; Secret?: unknown };
    if (typeof username === 'string' && typeof secret === 'string' && secret !== '') return { username, secret };
  } catch {
    // The error of the parser quotes the output.
  }
  throw failedHelper(program, server, 'its answer has no Username and Secret');
}

function describeFailure({ code, killed }: HelperError, output: string): string {
  if (code === 'ENOENT') return 'it is not installed, or not in PATH';
  if (code === 'EACCES') return 'it may not be executed';
  if (killed === true) return 'it did not answer in time';
  // A failed helper explains itself on standard output. An answer with a secret is JSON.
  const [line = ''] = output.trim().split('\n');
  const explanation = /[{"]/.test(line) || line === '' ? '' : `: ${line.slice(0, 200)}`;
  return `it ended with ${typeof code === 'number' ? `exit code ${code}` : (code ?? 'a signal')}${explanation}`;
}

const failedHelper = (program: string, server: string, problem: string): WorkloadError =>
  new WorkloadError('failed', `The credential helper ${program} gave no credentials of ${server}: ${problem}`, [
    `echo ${server} | ${program} get   shows its answer`,
    'or remove credsStore and credHelpers from the configuration of Docker when the registry needs no sign-in',
  ]);
