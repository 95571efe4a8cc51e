import { WorkloadFailure, type FailureKind } from '@gatehouse/workloads/failure';
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

const CODES: Readonly<Record<FailureKind, number>> = {
  usage: ExitCode.usage,
  'no-engine': ExitCode.noEngine,
  conflict: ExitCode.conflict,
  refused: ExitCode.refused,
  failed: ExitCode.failure,
};

/** The person pressed Ctrl-C, or the command was told to end. */
export class Interrupted extends Error {
  constructor() {
    super('Interrupted');
    this.name = 'Interrupted';
  }
}

/** What a command that failed says on stderr, and what it exits with. */
export interface Report {
  readonly lines: readonly string[];
  readonly exitCode: number;
  /** The same for programs, as `--json` prints it on stdout; absent where nothing failed. */
  readonly document?: ErrorDocument;
}

/** A failure as `--json` prints it. */
export interface ErrorDocument {
  readonly error: {
    readonly kind: FailureKind | 'interrupted';
    readonly message: string;
    readonly exit_code: number;
    /** Commands or changes that are likely to help. */
    readonly try: readonly string[];
  };
}

const documentOf = (
  kind: ErrorDocument['error']['kind'],
  exitCode: number,
  message: string,
  tries: readonly string[] = [],
): ErrorDocument => ({ error: { kind, message, exit_code: exitCode, try: tries } });

/** True for an error of the flag parser: its message is for the person who typed. */
function isUsageError(error: unknown): error is Error & { oclif: { exit?: number } } {
  return error instanceof Error && 'oclif' in error;
}

/**
 * The parser's words as one sentence: it puts most of them into lists and tables, of one line each
 * as a rule.
 */
function usageSentence(said: string): string {
  const wanted = /^Missing 1 required arg:\s+\S+\s+(.+)$/s.exec(said)?.[1];
  if (wanted !== undefined) return `Give the ${wanted}`;
  const [, flag, why] = /^Parsing (--\S+)\s+Expected (.+?) but received: .*$/s.exec(said) ?? [];
  if (flag !== undefined && why !== undefined) return `${flag} must be ${why}`;
  return said
    .replace(/^The following errors? occurred:\s+/, '')
    .replace(/Missing required flag (\S+)/g, 'Give --$1')
    .replace(/\n\s*/g, '; ');
}

/**
 * Turns whatever a command threw into words that are safe for a terminal: much of it was said by
 * somebody else.
 * @param debug adds the stack of what was not foreseen
 */
export function reportOf(error: unknown, debug: boolean): Report {
  const { lines, ...rest } = wordsOf(error, debug);
  return { lines: lines.map(printableLines), ...rest };
}

function wordsOf(error: unknown, debug: boolean): Report {
  if (error instanceof Interrupted) {
    const document = documentOf('interrupted', ExitCode.interrupted, error.message);
    return { lines: ['Interrupted'], exitCode: ExitCode.interrupted, document };
  }
  if (error instanceof WorkloadFailure) {
    return {
      lines: [
        `Error: ${error.message}`,
        ...error.excerpt.map((line) => `  | ${line}`),
        ...error.tryNext.map((text, index) => `${index === 0 ? 'Try:' : '    '} ${text}`),
        ...(debug && error.cause instanceof Error ? [error.cause.stack ?? error.cause.message] : []),
      ],
      exitCode: CODES[error.kind],
      document: documentOf(error.kind, CODES[error.kind], error.message, error.tryNext),
    };
  }
  if (isUsageError(error)) {
    // The parser's advice about flags with several values is not true for ours.
    const [said = ''] = error.message.split(/\n+(?:See more help|Note: )/);
    const silent = error.oclif.exit === 0;
    const exitCode = error.oclif.exit ?? ExitCode.usage;
    if (silent) return { lines: [], exitCode };
    const sentence = usageSentence(said);
    const document = documentOf('usage', exitCode, sentence, ['add --help']);
    return { lines: [`Error: ${sentence}`, 'Try: add --help'], exitCode, document };
  }
  const unexpected = error instanceof Error ? error : new Error(String(error));
  return {
    lines: [
      `Error: ${unexpected.message}`,
      ...(debug ? [unexpected.stack ?? ''] : ['Try: the same command with --debug']),
    ],
    exitCode: ExitCode.failure,
    document: documentOf('failed', ExitCode.failure, unexpected.message),
  };
}
