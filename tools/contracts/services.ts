import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The services with a committed OpenAPI document. `wire`: whether an agreed contract exists; the
 * ai-gateway has the formats of its vendors instead.
 */
export const services = [
  { name: 'enterprise-manager', wire: true },
  { name: 'connector-gateway', wire: true },
  { name: 'ai-gateway-mgmt', wire: true },
  { name: 'ai-gateway', wire: false },
] as const;

export type ServiceName = (typeof services)[number]['name'];

/**
 * One operation of a wire contract file, as far as these tools read it. `errors`: status codes it
 * may answer besides its success.
 */
export interface WireOperation {
  name: string;
  method: string;
  path: string;
  auth: 'none' | 'bearer';
  role: string;
  success: { status: number; headers: string[] };
  errors: number[];
}

const root = new URL('../../', import.meta.url);

/** A path of the repository, from its top. */
export const fromRoot = (path: string): string => fileURLToPath(new URL(path, root));

/** The operations of a service's wire contract, in the order of the file. */
export const wireOperations = (service: ServiceName): WireOperation[] => {
  const contract = JSON.parse(readFileSync(fromRoot(`tools/contracts/wire/${service}.json`), 'utf8')) as {
    operations: WireOperation[];
  };
  return contract.operations;
};

/** The name of an operation in lists and evidence: `GET /v1/users/{id}`. */
export const keyOf = ({ method, path }: { method: string; path: string }): string => `${method.toUpperCase()} ${path}`;

/**
 * The operations that are agreed but not yet built, by service. The list may only shrink
 * (check.ts).
 */
export const unbuilt = (): Record<string, string[]> =>
  JSON.parse(readFileSync(fromRoot('tools/contracts/unbuilt.json'), 'utf8')) as Record<string, string[]>;

/** The operations of a service's committed document, each with the statuses that it lists. */
export const documentedOperations = (service: ServiceName): { operation: string; statuses: number[] }[] => {
  const { paths } = JSON.parse(readFileSync(fromRoot(`libs/contracts/${service}/openapi.json`), 'utf8')) as {
    paths: Record<string, Record<string, { responses: Record<string, object> }>>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { responses }]) => ({
      operation: keyOf({ method, path }),
      statuses: Object.keys(responses).map(Number),
    })),
  );
};
