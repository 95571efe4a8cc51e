import { type Document, Lexer, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { FileProblemError, type TextPosition } from './file-problem.ts';
import { findBadKey, findPathAt, findPosition, getLinePosition, type ValuePath } from './positions.ts';

const MAX_ALIASES = 100;
const MAX_TOKENS = 500_000;

/** A parsed YAML text. */
export interface YamlText {
  readonly document: Document.Parsed;
  /** The value of the document. */
  readonly value: unknown;
  /** Returns where a value begins. A missing value has the place of the value that lacks it. */
  readonly findPosition: (path: ValuePath) => TextPosition | undefined;
}

/**
 * Parses a text with one YAML document, with or without a byte order mark.
 * @param formatPath writes the path of a value for messages; the empty path is the document
 * @throws FileProblemError
 */
export function parseYamlText(text: string, formatPath: (path: ValuePath) => string): YamlText {
  const lines = new LineCounter();
  refuseManyTokens(text);
  const document = parseWithoutOverflow(text, lines);
  const error = document.errors[0] ?? document.warnings[0];
  if (error !== undefined) throw createSyntaxProblem(error, document, lines, formatPath);
  const bad = findBadKey(document);
  if (bad !== undefined)
    throw new FileProblemError(
      `is not valid YAML: the field ${formatPath(bad.path)} ${bad.reason}`,
      getLinePosition(bad.offset, lines),
    );
  const value = readValue(document);
  return { document, value, findPosition: (path) => findPosition(document, path, lines) };
}

/**
 * The lexer needs 0.2 s for the largest file. The parser would need seconds for many tokens. A
 * character has at most two tokens.
 */
function refuseManyTokens(text: string): void {
  if (text.length < MAX_TOKENS / 2) return;
  const tokens = new Lexer().lex(text);
  for (let count = 0; tokens.next().done !== true; count += 1)
    if (count === MAX_TOKENS) throw new FileProblemError(`has more than ${MAX_TOKENS} YAML tokens`);
}

/**
 * Repeated keys are found later: the check of the parser needs minutes for a map of 1 MiB. Errors
 * have no stack, because a text of 1 MiB can have half a million of them.
 */
function parseWithoutOverflow(text: string, lines: LineCounter): Document.Parsed {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false, strict: true });
  } catch (cause) {
    throw new FileProblemError('is nested too deeply', undefined, cause);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function createSyntaxProblem(
  error: YAMLError,
  document: Document.Parsed,
  lines: LineCounter,
  formatPath: (path: ValuePath) => string,
): FileProblemError {
  const path = formatPath(findPathAt(document, error.pos[0]));
  const place = path === '' ? '' : ` in ${path}`;
  const reason =
    error.code === 'MULTIPLE_DOCS' ? 'has more than one YAML document' : `is not valid YAML${place}: ${error.message}`;
  return new FileProblemError(reason.replace(/\.$/, ''), getLinePosition(error.pos[0], lines), error);
}

function readValue(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (cause) {
    throw new FileProblemError(describeConversionFailure((cause as Error).message), undefined, cause);
  }
}

/** @param message of the YAML library */
function describeConversionFailure(message: string): string {
  if (message.startsWith('Unresolved alias')) return `is not valid YAML: ${message}`;
  return message.includes('alias') ? `uses more than ${MAX_ALIASES} aliases` : 'is nested too deeply';
}
