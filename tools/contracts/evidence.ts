import { globSync, readFileSync } from 'node:fs';
import {
  documentedOperations,
  fromRoot,
  getOperationKey,
  services,
  type ServiceName,
  unbuilt,
  wireOperations,
} from './services.ts';

/** An operation and the statuses that tests must receive from it. */
interface RequiredEvidence {
  operation: string;
  statuses: number[];
}

/**
 * Compares the documents with the responses of this test run, which the contract client of
 * libs/testing records. An operation of the contract needs its success and every listed status.
 * Other operations need every documented status, except 500 (a caller cannot cause it), 431 (it is
 * the same for all operations), and the statuses of unseen.json.
 * @returns a line for each operation without evidence, and for each status of unseen.json that was
 * received
 */
export const missingEvidence = (): string[] => {
  const seen = seenAnswers();
  const unseen = JSON.parse(readFileSync(fromRoot('tools/contracts/unseen.json'), 'utf8')) as Listed;
  return services.flatMap(({ name, wire }) => {
    const agreed = wire ? wireOperations(name) : [];
    const own = ownOperations(name, new Set(agreed.map(getOperationKey)));
    const listed = unbuilt()[name] ?? [];
    const required: RequiredEvidence[] = [
      ...agreed
        .map((operation) => ({
          operation: getOperationKey(operation),
          statuses: [operation.success.status, ...operation.errors],
        }))
        .filter(({ operation }) => !listed.includes(operation)),
      ...own.map(({ operation, statuses }) => ({
        operation,
        statuses: statuses.filter((status) => !unseen[name]?.[operation]?.includes(status)),
      })),
    ];
    return [
      ...required.flatMap(({ operation, statuses }) => {
        const missing = statuses.filter((status) => !seen.has(`${name} ${operation} ${status}`));
        return missing.length > 0 ? [`${name}: no test received ${missing.join(', ')} from ${operation}`] : [];
      }),
      ...unneededEntries(name, unseen, own, seen),
    ];
  });
};

/** Statuses by operation by service. */
type Listed = Partial<Record<ServiceName, Record<string, number[]>>>;

/** Returns a line for each status of unseen.json that was received or is not documented. */
const unneededEntries = (name: ServiceName, unseen: Listed, own: RequiredEvidence[], seen: Set<string>): string[] =>
  Object.entries(unseen[name] ?? {}).flatMap(([operation, statuses]) => {
    const documented = own.find((one) => one.operation === operation)?.statuses ?? [];
    const over = statuses.filter(
      (status) => !documented.includes(status) || seen.has(`${name} ${operation} ${status}`),
    );
    return over.length > 0 ? [`${name}: remove ${over.join(', ')} of ${operation} from unseen.json`] : [];
  });

const seenAnswers = (): Set<string> => {
  const seen = new Set<string>();
  for (const file of globSync('{,apps/*/,libs/*/}dist-test/contract/**/*.jsonl', { cwd: fromRoot('') })) {
    for (const line of readFileSync(fromRoot(file), 'utf8').split('\n').filter(Boolean)) {
      const { service, operation, status } = JSON.parse(line) as { service: string; operation: string; status: number };
      seen.add(`${service} ${operation} ${status}`);
    }
  }
  return seen;
};

const ownOperations = (name: ServiceName, agreed: ReadonlySet<string>): RequiredEvidence[] =>
  documentedOperations(name)
    .filter(({ operation }) => !agreed.has(operation))
    .map(({ operation, statuses }) => ({
      operation,
      statuses: statuses.filter((status) => ![431, 500].includes(status)),
    }));

if (import.meta.main) {
  const missing = missingEvidence();
  for (const line of missing) console.error(line);
  process.exitCode = missing.length > 0 ? 1 : 0;
}
