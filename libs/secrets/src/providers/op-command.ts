import { execFile } from 'node:child_process';
import type { Environment } from './environment-secrets.ts';
import { SecretsError } from '../secrets-error.ts';

/** The largest output of op, in bytes. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/** The result of a finished op. */
export interface OpResult {
  /** Whether op succeeded. */
  readonly succeeded: boolean;
  /** Standard output, which holds values. */
  readonly output: string;
  /** Standard error. It can repeat parts of values, so that it is only examined, never shown. */
  readonly complaint: string;
}

/**
 * Runs `op`, the command line of 1Password, without a shell. The token of a service account is
 * the variable OP_SERVICE_ACCOUNT_TOKEN.
 * @param timeLimitMs after this time op is killed
 * @throws SecretsError (one_password_failed) when op is missing, hangs or writes too much
 */
export function runOp(args: readonly string[], env: Environment, timeLimitMs: number): Promise<OpResult> {
  return new Promise((resolve, reject) => {
    const options = { env, timeout: timeLimitMs, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES } as const;
    const child = execFile('op', [...args], options, (error, output, complaint) => {
      if (error === null) resolve({ succeeded: true, output, complaint });
      else if (typeof error.code === 'number') resolve({ succeeded: false, output, complaint });
      else reject(describeStartFailure(error, timeLimitMs));
    });
    child.stdin?.end();
  });
}

/** The error for an op without an exit code. Its cause is left out, because it holds the output. */
function describeStartFailure(error: Error & { code?: unknown; killed?: boolean }, timeLimitMs: number): SecretsError {
  if (error.code === 'ENOENT') {
    return new SecretsError('one_password_failed', 'The command op of 1Password is not installed, or not in PATH', [
      'install the 1Password CLI: https://developer.1password.com/docs/cli',
    ]);
  }
  if (error.code === 'EACCES') {
    return new SecretsError('one_password_failed', 'The command op of 1Password may not be executed');
  }
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return new SecretsError('one_password_failed', 'The command op of 1Password wrote more than 8 MiB');
  }
  return error.killed === true
    ? new SecretsError(
        'one_password_failed',
        `The command op of 1Password did not answer within ${timeLimitMs / 1000} s`,
        ['op whoami   shows whether op is signed in'],
      )
    : new SecretsError('one_password_failed', 'The command op of 1Password was ended by a signal');
}
