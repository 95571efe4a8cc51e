import { isJsonObject } from '@gatehouse/mcp/json-rpc';

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
/** The number of tools whose hints are kept. */
const MAX_TOOLS = 10_000;

/** The hints of a tool by name. */
export type Hints = Readonly<Record<string, boolean>>;

/** Remembers the hints of tools from the lists that clients asked for, for their calls. */
export class ToolHints {
  private readonly hints = new Map<string, Hints>();

  /** Reads the hints of a tool of a list, and keeps them. Equal hints stay the same object. */
  learn(name: string, tool: Readonly<Record<string, unknown>>): Hints {
    const annotations = isJsonObject(tool['annotations']) ? tool['annotations'] : {};
    const entries = HINTS.map((hint) => [hint, annotations[hint]] as const);
    const read: Hints = Object.fromEntries(
      entries.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
    );
    const known = this.hints.get(name);
    const hints = known !== undefined && HINTS.every((hint) => known[hint] === read[hint]) ? known : read;
    this.hints.delete(name);
    this.hints.set(name, hints);
    const [oldest] = this.hints.keys();
    if (this.hints.size > MAX_TOOLS && oldest !== undefined) this.hints.delete(oldest);
    return hints;
  }

  /** @returns undefined for a tool that no list has had */
  find(name: string): Hints | undefined {
    return this.hints.get(name);
  }
}
