import type { RpcMessage } from '@gatehouse/mcp/json-rpc';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';

/** The value of a label in the place of a value that would make too many series. */
export const OTHER = '_OTHER';

const MAX_NAMES = 500;
const MAX_NAME_LENGTH = 128;

/** The list that names the targets of a method, and its member. */
const LISTS: ReadonlyMap<string, { kind: NameKind; member: string }> = new Map([
  ['tools/list', { kind: 'tool', member: 'tools' }],
  ['prompts/list', { kind: 'prompt', member: 'prompts' }],
]);

/** The kind of item that has a name. */
export type NameKind = 'tool' | 'prompt';

/**
 * The names of tools and prompts that exist. Clients can call any name, and each label value costs
 * memory here and at the collector: so a name is a label only after the server has listed it or
 * answered its call without an error.
 */
export class KnownNames {
  readonly #names = { tool: new Set<string>(), prompt: new Set<string>() };

  /** Learns the names of an answer. */
  learnList(method: string, answer: RpcMessage): void {
    const list = LISTS.get(method);
    const entries = list !== undefined && 'result' in answer ? answer.result[list.member] : undefined;
    if (list === undefined || !Array.isArray(entries)) return;
    for (const entry of entries as unknown[]) {
      const name = isJsonObject(entry) ? entry['name'] : undefined;
      if (typeof name === 'string') this.learn(list.kind, name);
    }
  }

  /** Learns a name that a server has answered. */
  learn(kind: NameKind, name: string): void {
    const names = this.#names[kind];
    if (names.size < MAX_NAMES && name.length <= MAX_NAME_LENGTH) names.add(name);
  }

  /** @returns the name, or {@link OTHER} */
  toLabel(kind: NameKind, name: string): string {
    return this.#names[kind].has(name) ? name : OTHER;
  }
}
