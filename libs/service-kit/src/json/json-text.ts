import { randomUUID } from 'node:crypto';

/** Prefix of the placeholder of a `JsonText`. `writeJson` replaces all placeholders. */
const MARK = randomUUID();
const MARKS = new RegExp(`"${MARK}-(\\d+)"`, 'g');

/** The texts of the value that `writeJson` is writing. */
let written: string[] | undefined;

/** A JSON value that is written as its text, byte for byte. */
export class JsonText {
  /** @param text valid JSON */
  constructor(readonly text: string) {}

  /** Outside of `writeJson`, returns the value of the text. */
  toJSON(): unknown {
    if (written === undefined) return JSON.parse(this.text);
    written.push(this.text);
    return `${MARK}-${written.length - 1}`;
  }
}

/** Writes a value as `JSON.stringify` does, but each `JsonText` as its text. */
export function writeJson(value: unknown): string {
  const texts: string[] = [];
  written = texts;
  try {
    const json = JSON.stringify(value);
    return texts.length === 0 ? json : json.replace(MARKS, (_mark, at: string) => texts[Number(at)] ?? 'null');
  } finally {
    written = undefined;
  }
}
