import { isDeepStrictEqual } from 'node:util';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { parseExactly } from '../json/exact-json.ts';

/** A patch is not valid, cannot be applied, or changes more than it may. */
export class PatchError extends GatehouseError {
  override readonly code = 'invalid_patch';
}

const MAX_OPERATIONS = 1_000;
const SCOPE = '/mcp_request/';
/** The members that make an answer belong to its request, and a method that passes have checked. */
const FIXED_MEMBERS = ['jsonrpc', 'id', 'method'] as const;
const PROTOTYPES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const OPERATIONS: ReadonlySet<unknown> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

/**
 * Applies a JSON Patch (RFC 6902) to a message. Its paths begin with `/mcp_request/`. Numbers that
 * the patch does not touch keep their text.
 * @param text the JSON of the message
 * @returns the JSON of the changed message
 * @throws PatchError
 */
export function applyPatch(text: string, patch: unknown, maxBytes: number): string {
  const operations = parsePatch(patch);
  const plain = { mcp_request: JSON.parse(text) as unknown };
  const exact = { mcp_request: parseExactly(text) };
  try {
    // Copies of copies grow without a limit.
    let copied = 0;
    for (const operation of operations) {
      if (operation.op === 'copy') copied += measure(jsonPatch.getValueByPointer(plain, operation.from));
      if (copied > maxBytes) throw new PatchError('copies too much');
      jsonPatch.applyOperation(plain, operation, true, true, true);
      // A test has compared numbers already, which are texts here.
      if (operation.op !== 'test') jsonPatch.applyOperation(exact, structuredClone(operation), false, true, true);
    }
    const changed = JSON.stringify(exact.mcp_request);
    requireFixedMembers(JSON.parse(text), plain.mcp_request);
    if (Buffer.byteLength(changed) > maxBytes) throw new PatchError(`makes the message larger than ${maxBytes} bytes`);
    if (!isDeepStrictEqual(JSON.parse(changed), JSON.parse(JSON.stringify(plain.mcp_request))))
      throw new PatchError('treats a number as an object');
    return changed;
  } catch (cause) {
    if (cause instanceof PatchError) throw cause;
    throw new PatchError(`cannot be applied: ${describe(cause)}`, { cause });
  }
}

const measure = (value: unknown): number => (JSON.stringify(value) as string | undefined)?.length ?? 0;

/** The message of the library ends with the whole document. */
const describe = (cause: unknown): string =>
  (cause instanceof Error ? cause.message.split('\n')[0] : String(cause)) ?? '';

function parsePatch(patch: unknown): Operation[] {
  if (!Array.isArray(patch)) throw new PatchError('is not a list of operations');
  if (patch.length > MAX_OPERATIONS) throw new PatchError(`has more than ${MAX_OPERATIONS} operations`);
  return patch.map((operation) => {
    if (!isJsonObject(operation) || !OPERATIONS.has(operation['op'])) throw new PatchError('has an unknown operation');
    const { op, path, from } = operation;
    const pointers = op === 'move' || op === 'copy' ? [path, from] : [path];
    for (const pointer of pointers) requireScope(pointer);
    return operation as unknown as Operation;
  });
}

function requireScope(pointer: unknown): void {
  if (typeof pointer !== 'string' || !pointer.startsWith(SCOPE))
    throw new PatchError(`has a path that does not begin with ${SCOPE}`);
  const steps = pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (steps.some((step) => PROTOTYPES.has(step))) throw new PatchError('has a path to a prototype');
}

function requireFixedMembers(before: unknown, after: unknown): void {
  const [old, changed] = [before, after].map((value) => (isJsonObject(value) ? value : {}));
  const moved = FIXED_MEMBERS.find((name) => old?.[name] !== changed?.[name]);
  if (moved !== undefined) throw new PatchError(`changes the member "${moved}", which must stay`);
}
