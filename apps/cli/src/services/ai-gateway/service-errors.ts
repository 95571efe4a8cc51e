import { CommandFailedError, type CliError } from '../../errors/cli-error.ts';

/** The address of a service, and what supplied the address and the token, for messages. */
export interface ManagementSources {
  readonly url: string;
  /** The flag, variable or file that supplied the address. */
  readonly urlSource: string;
  /** Address of the manager to sign in to; undefined when the command knows none. */
  readonly manager: string | undefined;
  /** The flag or variable that supplied the token instead of a session. */
  readonly tokenSource: string | undefined;
}

/** The error of a service that does not answer. */
export const createUnreachableError = ({ url, urlSource }: ManagementSources, cause: unknown): CliError =>
  new CommandFailedError(`AI gateway management at ${url} cannot be reached`, [adviseAddress(urlSource)], cause);

/** The error for an answer that AI gateway management cannot have sent. */
export const createForeignAnswerError = (
  { url, urlSource }: ManagementSources,
  status: number,
  cause?: unknown,
): CliError =>
  new CommandFailedError(
    `${url} does not answer like AI gateway management (HTTP ${status})`,
    [`${adviseAddress(urlSource)}, without /v1`],
    cause,
  );

const adviseAddress = (urlSource: string): string =>
  urlSource === 'platform.json' ? 'npm start' : `${urlSource} with the address of AI gateway management`;
