/** The replacement of a part of a text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((result, { start, end, text: part }) => result.slice(0, start) + part + result.slice(end), text);
}

/** Returns the line break of a text; `\n` for a text of one line. */
export const getLineBreak = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Returns the start of the line that contains an offset. */
export const getLineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** Returns the end of the line that contains an offset, before its line break. */
export function getLineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return text[end - 1] === '\r' && end > offset ? end - 1 : end;
}

/** Returns the whitespace at the start of the line that contains an offset. */
export function getIndent(text: string, offset: number): string {
  const start = getLineStart(text, offset);
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/**
 * Appends lines to a text. The text ends with a line break afterwards if it did before.
 * @param separator line breaks between a text with content and the lines
 */
export function appendLines(text: string, lines: string, separator: string): string {
  const content = text.trimEnd();
  if (content === '') return text + lines + getLineBreak(text);
  return content + separator + lines + text.slice(content.length);
}
