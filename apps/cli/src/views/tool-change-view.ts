import { createTwoFilesPatch, OMIT_HEADERS } from 'diff';
import type { Column } from '../base/manager-command.ts';
import type { ToolChange } from '../services/manager/tool-changes.ts';
import { printable, printableLines } from '../terminal/output.ts';
import { formatYaml } from '../yaml/yaml-text.ts';

/** The columns of changes of tools. */
export const TOOL_CHANGE_COLUMNS: readonly Column<ToolChange>[] = [
  ['ID', (change) => change.id],
  ['CONNECTOR', (change) => change.connector_name ?? change.connector_id],
  ['TOOL', (change) => change.tool],
  ['CHANGE', (change) => change.kind],
  ['STATUS', (change) => change.status],
  ['FIRST SEEN', (change) => change.first_seen_at],
  ['LAST SEEN', (change) => change.last_seen_at],
];

/** Lines around a difference. */
const CONTEXT_LINES = 2;

/**
 * The differences of a definition as a unified diff of YAML. Invisible characters, which can hide
 * instructions to a model, are shown by their code.
 */
export function formatToolChange(change: ToolChange): string {
  const { id, tool, kind, old_definition: before, new_definition: after } = change;
  const title = printable(`${id}  ${tool} (${kind})`);
  if (after === undefined || (before === undefined && kind === 'changed'))
    return `${title}\n  too large to be shown: ${change.definition_bytes} bytes; compare it at the server`;
  const notes = change.superseded > 0 ? [`  ${change.superseded} earlier undecided definitions were dropped`] : [];
  return [title, ...notes, formatDiff(before, after)].join('\n');
}

function formatDiff(before: object | undefined, after: object): string {
  const old = before === undefined ? '' : formatYaml(before);
  const options = { context: CONTEXT_LINES, headerOptions: OMIT_HEADERS };
  const patch = createTwoFilesPatch('', '', old, formatYaml(after), undefined, undefined, options);
  return printableLines(patch.trimEnd()).replace(INVISIBLE, escapeCharacter);
}

/** Format characters, private use, unassigned, and selectors of variations. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu;

const escapeCharacter = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
