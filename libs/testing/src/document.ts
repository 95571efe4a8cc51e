import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './cache.ts';
import { compileCache } from './process.ts';

/**
 * A step of a document: the commands of an `sh` block, or a marker `<!-- test: … -->` for its test.
 */
export type DocumentStep = { commands: string } | { mark: string };

/** The steps of a document in `docs/`, in their order. */
export function readSteps(document: string): DocumentStep[] {
  const text = readFileSync(join(repositoryRoot, 'docs', document), 'utf8');
  const found = text.matchAll(/<!-- test: (.+?) -->|^( *)```sh\n([^]*?)^ *```/gm);
  return [...found].map(([, mark, indent = '', commands = '']) =>
    mark === undefined ? { commands: commands.replaceAll(new RegExp(`^${indent}`, 'gm'), '') } : { mark },
  );
}

/** The commands after a marker. @throws {Error} when the document has no such marker */
export function commandsAfter(document: string, mark: string): string {
  const steps = readSteps(document);
  const next = steps[steps.findIndex((step) => 'mark' in step && step.mark === mark) + 1];
  if (next === undefined || !('commands' in next)) throw new Error(`${document} has no commands after "${mark}"`);
  return next.commands;
}

/** How documents start the command line in the repository. */
const NPM_COMMAND = 'npm run --silent gatehouse --';
/** Starts the same program without npm, in half of the CPU time. */
const DIRECT_COMMAND = `'${process.execPath}' -- '${join(repositoryRoot, 'apps/cli/bin/gatehouse.js')}'`;

/** A shell that runs the commands of a document in order, as a reader would type them. */
export class DocumentShell {
  readonly #shell;
  readonly #closed: Promise<boolean>;
  #output = '';
  #runs = 0;

  /** @param env the reader's variables besides PATH and HOME */
  constructor(cwd: string, env: Record<string, string>) {
    const { PATH = '', HOME = '' } = process.env;
    this.#shell = spawn('bash', ['-e', '-o', 'pipefail'], { cwd, env: { PATH, HOME, ...compileCache, ...env } });
    this.#closed = once(this.#shell, 'close').then(() => true);
    for (const stream of [this.#shell.stdout, this.#shell.stderr])
      stream.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
  }

  /**
   * @param options `npm`: start the command line with npm, as the document does
   * @returns the output of the commands
   * @throws {Error} with the output, when a command fails
   */
  async run(commands: string, { npm = false } = {}): Promise<string> {
    this.#output = '';
    const end = `-- end ${(this.#runs += 1)} --`;
    const text = npm ? commands : commands.replaceAll(NPM_COMMAND, DIRECT_COMMAND);
    this.#shell.stdin.write(`${text}\necho '${end}'\n`);
    while (!this.#output.includes(end)) {
      const next = new Promise<false>((settle) => setTimeout(() => settle(false), 50));
      if ((await Promise.race([this.#closed, next])) && !this.#output.includes(end))
        throw new Error(`a command failed:\n${commands}\n${this.#output}`);
    }
    return this.#output.slice(0, this.#output.indexOf(end));
  }

  async close(): Promise<void> {
    if (this.#shell.exitCode !== null) return;
    this.#shell.stdin.end();
    await this.#closed;
  }
}
