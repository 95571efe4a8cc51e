import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot, getOperationKey, wireOperations, type ServiceName } from './services.ts';

/**
 * The comparison of an OpenAPI document with the wire contract of its service. Operations are named
 * `GET /v1/users/{id}`.
 */
export interface Conformance {
  total: number;
  conforming: string[];
  /** Differences by operation, one line each. */
  mismatches: Map<string, string[]>;
  /** Number of operations that are not in the contract. */
  added: number;
}

/**
 * Compares a document (JSON text) with the wire contract of the service. It runs the checker of the
 * contract and compares the roles.
 * @throws {Error} when the checker cannot read a file
 */
export const conformance = (service: ServiceName, document: string): Conformance => {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, document);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [fromRoot('tools/contracts/wire/check.mjs'), fromRoot(`tools/contracts/wire/${service}.json`), file],
      { encoding: 'utf8' },
    );
    if (status !== 0 && status !== 1) throw new Error(`the contract checker failed: ${stderr}`);
    return read(service, stdout, compareRoles(service, JSON.parse(document) as Documented));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The parts of a document that the checker does not read. */
interface Documented {
  paths: Record<string, Record<string, { 'x-roles'?: string[] }>>;
}

/** Returns the differences of roles by operation, which the checker does not compare. */
const compareRoles = (service: ServiceName, { paths }: Documented): Map<string, string[]> =>
  new Map(
    wireOperations(service).flatMap((operation): [string, string[]][] => {
      const documented = paths[operation.path]?.[operation.method.toLowerCase()];
      const roles = documented?.['x-roles']?.toSorted().join('|') ?? 'public';
      const agreed = operation.role.split('|').toSorted().join('|');
      return documented === undefined || roles === agreed
        ? []
        : [[getOperationKey(operation), [`roles: ${roles} instead of ${agreed}`]]];
    }),
  );

/** Adds the mismatches in the output of the checker to those of the roles. */
const read = (service: ServiceName, output: string, mismatches: Map<string, string[]>): Conformance => {
  let current: string[] = [];
  for (const line of output.split('\n')) {
    const operation = /^([A-Z]+ \/\S*) \(/.exec(line)?.[1];
    if (operation !== undefined) mismatches.set(operation, (current = mismatches.get(operation) ?? []));
    else if (line.startsWith('  ')) current.push(line.trim());
  }
  const operations = wireOperations(service).map(getOperationKey);
  return {
    total: operations.length,
    conforming: operations.filter((operation) => !mismatches.has(operation)),
    mismatches,
    added: Number(/beyond the contract: (\d+) operations/.exec(output)?.[1] ?? 0),
  };
};
