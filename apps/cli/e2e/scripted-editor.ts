import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Editors that are shell scripts, and the files that the command leaves for them. */
export class ScriptedEditors {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gatehouse-editors-'));
  readonly #temporary = join(this.#folder, 'tmp');
  #count = 0;

  constructor() {
    mkdirSync(this.#temporary);
  }

  /**
   * Creates an editor.
   * @param script its commands; `"$1"` is the edited file
   * @returns the environment for a command that uses it
   */
  create(script: string): NodeJS.ProcessEnv {
    this.#count += 1;
    const path = join(this.#folder, `editor-${this.#count}`);
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    return { EDITOR: path, VISUAL: '', TMPDIR: this.#temporary };
  }

  /** Path of a file for a script. */
  file(name: string): string {
    return join(this.#folder, name);
  }

  /** The texts of users that commands kept, and removes them. */
  takeKeptTexts(): string[] {
    return readdirSync(this.#temporary)
      .filter((name) => name.startsWith('gatehouse-edit-'))
      .map((name) => {
        const folder = join(this.#temporary, name);
        const text = readFileSync(join(folder, readdirSync(folder).sort().at(-1) ?? ''), 'utf8');
        rmSync(folder, { recursive: true });
        return text;
      });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
