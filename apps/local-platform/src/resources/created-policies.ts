import { parseObject, readIfExists, replaceFile } from '../home.ts';

/** The names of the policies by the uid of their AIGateway. */
type NamesByGateway = Readonly<Record<string, readonly string[]>>;

/**
 * The policies that this home created, in a file. A policy is created once for an AIGateway, so
 * that a user can delete it; another AIGateway, such as that of another cluster, gets its own.
 */
export class CreatedPolicies {
  constructor(private readonly file: string) {}

  /** The names of the policies of an AIGateway. @throws {DamagedFileError} */
  list(gatewayUid: string): readonly string[] {
    return this.read()[gatewayUid] ?? [];
  }

  /** Adds names to those of an AIGateway. @throws {DamagedFileError} */
  add(gatewayUid: string, ...names: readonly string[]): void {
    const all: NamesByGateway = { ...this.read(), [gatewayUid]: [...this.list(gatewayUid), ...names] };
    replaceFile(this.file, `${JSON.stringify(all, null, 2)}\n`);
  }

  private read(): NamesByGateway {
    const text = readIfExists(this.file);
    return text === undefined ? {} : (parseObject(this.file, text) as NamesByGateway);
  }
}
