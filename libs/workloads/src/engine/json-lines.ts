import type { IncomingMessage } from 'node:http';

/** Reads the JSON lines of a response while they arrive. Empty lines are skipped. */
export async function* readJsonLines<Line>(response: IncomingMessage): AsyncGenerator<Line> {
  for await (const line of readLines(response)) yield JSON.parse(line) as Line;
}

async function* readLines(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const part of response) {
    rest += (part as Buffer).toString('utf8');
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}
