import { WorkloadError, type WorkloadErrorCode } from '@gatehouse/workloads/errors/workload-error';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { SecretsError, type SecretsErrorCode } from '@gatehouse/secrets/secrets-error';
import { CliError, type CliErrorCode, CommandFailedError } from '../errors/cli-error.ts';
import { printableLines } from './output.ts';

/** Exit codes of every command. */
export const ExitCode = {
  ok: 0,
  failure: 1,
  usage: 2,
  noEngine: 3,
  conflict: 4,
  refused: 5,
  interrupted: 130,
} as const;

type ErrorCode = WorkloadErrorCode | CliErrorCode;

const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  usage: ExitCode.usage,
  'no-engine': ExitCode.noEngine,
  conflict: ExitCode.conflict,
  refused: ExitCode.refused,
  failed: ExitCode.failure,
  interrupted: ExitCode.interrupted,
};

/** The kind of each error about secrets. */
const SECRETS_ERROR_CODES: Readonly<Record<SecretsErrorCode, ErrorCode>> = {
  invalid_secret_reference: 'usage',
  invalid_secret_name: 'usage',
  secret_not_found: 'failed',
  secrets_not_set_up: 'failed',
  secrets_set_up_already: 'conflict',
  secrets_setting_invalid: 'usage',
  secrets_password_missing: 'failed',
  secrets_password_wrong: 'failed',
  secrets_password_too_short: 'usage',
  secrets_damaged: 'failed',
  secrets_version_newer: 'failed',
  secrets_too_large: 'failed',
  keyring_unavailable: 'failed',
  operation_not_supported: 'usage',
  one_password_failed: 'failed',
};

/** The report of a failed command: its lines on stderr and its exit code. */
export interface Report {
  readonly lines: readonly string[];
  readonly exitCode: number;
  /** The JSON document that `--json` prints on stdout; absent without a failure. */
  readonly document?: ErrorDocument;
}

/** An error as `--json` prints it. */
export interface ErrorDocument {
  readonly error: {
    readonly kind: ErrorCode;
    readonly message: string;
    readonly exit_code: number;
    /** Commands or changes that are likely to help. */
    readonly try: readonly string[];
  };
}

const createErrorDocument = (
  kind: ErrorCode,
  message: string,
  tryNext: readonly string[] = [],
  exitCode = EXIT_CODES[kind],
): ErrorDocument => ({ error: { kind, message, exit_code: exitCode, try: tryNext } });

/** The parts of an expected error that a report shows. */
type ExpectedError = Pick<CliError, 'message' | 'tryNext' | 'cause'>;

/** An error of oclif, which parses the flags. */
interface ParserError extends Error {
  readonly oclif: { readonly exit?: number };
  /** The arguments that are missing, for such an error. */
  readonly args?: readonly MissingArgument[];
  readonly parse?: { readonly input?: { readonly context?: { readonly id?: string } } };
}

interface MissingArgument {
  readonly description?: string;
  readonly options?: readonly string[];
}

const isParserError = (error: unknown): error is ParserError => error instanceof Error && 'oclif' in error;

const describeArgument = ({ description = 'argument', options }: MissingArgument): string =>
  options === undefined ? description : `${description} (one of ${options.join(', ')})`;

/** The parser's message, which is a list or a table, as one sentence. */
function usageSentence(text: string, { args = [] }: ParserError): string {
  if (text.startsWith('Missing ') && args.length > 0)
    return `Give the ${args.map(describeArgument).join(', and the ')}`;
  const [, flag, expected] = /^Parsing (--\S+)\s+Expected (.+?) but received: .*$/s.exec(text) ?? [];
  if (flag !== undefined && expected !== undefined) return `${flag} must be ${expected}`;
  const [, typed = '', options] = /^Expected --([^=]+=.*) to be one of: (.+)$/s.exec(text) ?? [];
  if (options !== undefined) return `--${typed.replace('=', ' ')} is not one of ${options}`;
  return text
    .replace(/^The following errors? occurred:\s+/, '')
    .replace(/Missing required flag (\S+)/g, 'Give --$1')
    .replace(/\n\s*/g, '; ');
}

/**
 * The report of an error, safe for a terminal: services and servers wrote parts of its text.
 * @param debug adds the stack of an unexpected error
 */
export function createErrorReport(error: unknown, debug: boolean): Report {
  const { lines, ...rest } = reportByType(error, debug);
  return { lines: lines.map(printableLines), ...rest };
}

function reportByType(error: unknown, debug: boolean): Report {
  if (error instanceof WorkloadError) return expectedReport(error.code, inOneLine(error), error.excerpt, debug);
  if (error instanceof CliError) return expectedReport(error.code, error, [], debug);
  if (error instanceof SecretsError) return expectedReport(SECRETS_ERROR_CODES[error.code], error, [], debug);
  if (error instanceof GatehouseError && error.expose) return exposedReport(error, debug);
  return isParserError(error) ? parserReport(error) : unexpectedReport(error, debug);
}

/** A message is one sentence. A line break in a name could pretend to be another message. */
const inOneLine = ({ message, tryNext, cause }: WorkloadError): ExpectedError => ({
  ...{ message: message.replace(/\s*\n\s*/g, ' '), tryNext, cause },
});

const exposedReport = ({ message, cause }: GatehouseError, debug: boolean): Report =>
  expectedReport('failed', new CommandFailedError(message, [], cause), [], debug);

function expectedReport(
  code: ErrorCode,
  { message, tryNext, cause }: ExpectedError,
  excerpt: readonly string[],
  debug: boolean,
): Report {
  const lines = [
    code === 'interrupted' ? message : `Error: ${message}`,
    ...excerpt.map((line) => `  | ${line}`),
    ...tryNext.map((text, index) => `${index === 0 ? 'Try:' : '    '} ${text}`),
    ...(debug && cause instanceof Error ? [cause.stack ?? cause.message] : []),
  ];
  return { lines, exitCode: EXIT_CODES[code], document: createErrorDocument(code, message, tryNext) };
}

function parserReport(error: ParserError): Report {
  const exitCode = error.oclif.exit ?? ExitCode.usage;
  if (exitCode === 0) return { lines: [], exitCode };
  // The parser's note about flags with several values is wrong for the flags of this CLI.
  const [text = ''] = error.message.split(/\n+(?:See more help|Note: )/);
  const sentence = usageSentence(text, error);
  const command = error.parse?.input?.context?.id?.replaceAll(':', ' ');
  const help = command === undefined ? '--help   lists the flags' : `gatehouse ${command} --help`;
  const isForServer = command === 'run' && sentence.startsWith('Unexpected argument');
  const tryNext = [...(isForServer ? ['-- ARGS   gives arguments to the server'] : []), help];
  const report = expectedReport('usage', { message: sentence, tryNext, cause: undefined }, [], false);
  return { ...report, exitCode, document: createErrorDocument('usage', sentence, tryNext, exitCode) };
}

function unexpectedReport(thrown: unknown, debug: boolean): Report {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return {
    lines: [`Error: ${error.message}`, debug ? (error.stack ?? '') : 'Try: the same command with --debug'],
    exitCode: ExitCode.failure,
    document: createErrorDocument('failed', error.message),
  };
}
