import { globSync, readFileSync } from 'node:fs';
import {
  documentedOperations,
  fromRoot,
  keyOf,
  services,
  type ServiceName,
  unbuilt,
  wireOperations,
} from './services.ts';

/** An operation and the statuses that tests must produce for it. */
interface Owed {
  operation: string;
  statuses: number[];
}

/**
 * Compares the answers that the tests of this run have seen with the documents. An operation of the
 * contract counts as built only when tests have produced its success and every listed status over
 * HTTP (the contract client of libs/testing records each answer). An operation outside of the
 * contract needs every status of its document, except 500, which no caller can cause, 431, which is
 * the same for all operations, and the statuses of unseen.json.
 * @returns a line for each built operation that lacks evidence, and for each status of unseen.json
 * that was seen
 */
export const missingEvidence = (): string[] => {
  const seen = seenAnswers();
  const unseen = JSON.parse(readFileSync(fromRoot('tools/contracts/unseen.json'), 'utf8')) as Listed;
  return services.flatMap(({ name, wire }) => {
    const agreed = wire ? wireOperations(name) : [];
    const own = ownOperations(name, new Set(agreed.map(keyOf)));
    const listed = unbuilt()[name] ?? [];
    const owed: Owed[] = [
      ...agreed
        .map((operation) => ({
          operation: keyOf(operation),
          statuses: [operation.success.status, ...operation.errors],
        }))
        .filter(({ operation }) => !listed.includes(operation)),
      ...own.map(({ operation, statuses }) => ({
        operation,
        statuses: statuses.filter((status) => !unseen[name]?.[operation]?.includes(status)),
      })),
    ];
    return [
      ...owed.flatMap(({ operation, statuses }) => {
        const missing = statuses.filter((status) => !seen.has(`${name} ${operation} ${status}`));
        return missing.length > 0 ? [`${name}: no test saw ${operation} answer ${missing.join(', ')}`] : [];
      }),
      ...needless(name, unseen, own, seen),
    ];
  });
};

/** Statuses by operation by service. */
type Listed = Partial<Record<ServiceName, Record<string, number[]>>>;

/** unseen.json may only shrink: a status that was seen or is no longer documented must leave it. */
const needless = (name: ServiceName, unseen: Listed, own: Owed[], seen: Set<string>): string[] =>
  Object.entries(unseen[name] ?? {}).flatMap(([operation, statuses]) => {
    const documented = own.find((one) => one.operation === operation)?.statuses ?? [];
    const over = statuses.filter(
      (status) => !documented.includes(status) || seen.has(`${name} ${operation} ${status}`),
    );
    return over.length > 0 ? [`${name}: remove ${over.join(', ')} of ${operation} from unseen.json`] : [];
  });

const seenAnswers = (): Set<string> => {
  const seen = new Set<string>();
  for (const file of globSync('{apps,libs}/*/dist-test/contract/**/*.jsonl', { cwd: fromRoot('') })) {
    for (const line of readFileSync(fromRoot(file), 'utf8').split('\n').filter(Boolean)) {
      const { service, operation, status } = JSON.parse(line) as { service: string; operation: string; status: number };
      seen.add(`${service} ${operation} ${status}`);
    }
  }
  return seen;
};

const ownOperations = (name: ServiceName, agreed: ReadonlySet<string>): Owed[] =>
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
